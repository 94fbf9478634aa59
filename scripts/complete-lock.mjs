// Adds to package-lock.json the optional packages for other platforms that a partial registry mirror left out. Without
// their entries `npm ci` refuses the file; with them, every platform installs its own. Run after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs'

/** @type {Record<string, string>} */
const PLATFORMS = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  aix: 'aix',
  win32: 'win32',
  windows: 'win32',
}
/** @type {Record<string, string>} */
const PROCESSORS = {
  arm64: 'arm64',
  arm: 'arm',
  x64: 'x64',
  amd64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  ppc64le: 'ppc64',
  s390x: 's390x',
  riscv64: 'riscv64',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
}

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const added = []
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const own = `${place}/node_modules/${name}`.replace(/^\//, '')
    if (lock.packages[own] || lock.packages[`node_modules/${name}`]) continue
    const words = name.split(/[/-]/)
    const os = words.map((word) => PLATFORMS[word]).find(Boolean)
    const cpu = words.map((word) => PROCESSORS[word]).find(Boolean)
    if (!/^\d/.test(version) || !(os || cpu)) {
      console.warn(`left out: ${name}@${version}`)
      continue
    }
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(entry.dev && { dev: true }),
      ...(words.includes('musl') && { libc: ['musl'] }),
      optional: true,
      ...(os && { os: [os] }),
    }
    added.push(name)
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added.length} entries added`)
