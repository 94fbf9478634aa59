import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/archive/digest.ts'
import { folderPlace } from '../../src/archive/folder-place.ts'
import { archiveFinding } from '../../src/main/doctor/archive-findings.ts'
import { temporaryFolder } from '../support/engines.ts'

describe('a folder that nothing can be written into', () => {
  it.each(['a-file', 'a-file/archive'])('is named in one line, %s', async (name) => {
    const folder = temporaryFolder()
    try {
      const file = `${folder}/a-file`
      writeFileSync(file, '')
      const to = `${folder}/${name}`
      const digest = await digestOf(file)
      const hint = expect.stringContaining('set ARCHIVE_TO to a folder')
      const detail = expect.stringMatching(/cannot be written: E(?:EXIST|NOTDIR)/)
      await expect(folderPlace(to).keep('x', file, digest)).rejects.toMatchObject({ detail, hint })
      await expect(folderPlace(to).read('x')).rejects.toMatchObject({
        detail: expect.stringContaining('ENOTDIR'),
        hint,
      })
      expect(await archiveFinding({ kind: 'folder', folder: to })).toMatchObject({
        state: 'fail',
        what: `${to} cannot be written: ${file} is not a folder`,
      })
      const free = `${folder}/new/archive`
      expect(await archiveFinding({ kind: 'folder', folder: free })).toMatchObject({ state: 'ok' })
      expect(await archiveFinding({ kind: 'folder', folder: '/proc/archive' })).toMatchObject({ state: 'fail' })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
