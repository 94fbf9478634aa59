import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { cleanEnvironment, type Ended, ended, ROOT } from '../support/program.ts'

/** Its password has what an address would have to write otherwise. */
export const PASSWORD = 'p@ss/w:rd'

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** A user with a password that is asked for, and a database of its own; the address is without the password. */
export async function createOwner(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create role tollbook login password '${PASSWORD}'`)
  await client.query('create database tollbook owner tollbook')
  const { rows } = await client.query<{ hba_file: string }>('show hba_file')
  const file = rows[0]?.hba_file ?? ''
  writeFileSync(file, `host all tollbook 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`)
  await client.query('select pg_reload_conf()')
  await client.end()
  const own = new URL(url)
  own.username = 'tollbook'
  own.pathname = '/tollbook'
  return own.href
}

export interface Process {
  readonly name: string
  readonly child: ChildProcess
  readonly metrics: string
  readonly output: () => string
  stop(): Promise<Ended>
}

/** `tollbook serve` with one role, as a unit or a container would start it. */
export function start(name: string, role: string, metricsPort: number, env: Record<string, string>): Process {
  const words = [join(ROOT, 'bin/tollbook.js'), 'serve', '--roles', role]
  const child = spawn(process.execPath, words, {
    env: cleanEnvironment({ NODE_ENV: 'production', ...env, METRICS_PORT: String(metricsPort) }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const end = ended(child)
  return {
    ...{ name, child, metrics: `http://127.0.0.1:${metricsPort}`, output: () => output },
    stop: () => {
      child.kill('SIGTERM')
      return end
    },
  }
}

/** nginx with the snippet as it is written, but for ports, names of certificates and the number of processes. */
export function startNginx(
  nginx: string,
  folder: string,
  webs: readonly number[],
  ports: { http: number; https: number },
) {
  const names = ['fullchain.pem', 'privkey.pem'].map((name) => join(folder, name))
  const [certificate = '', key = ''] = names
  const subject = ['-subj', '/CN=directory.example', '-addext', 'subjectAltName=DNS:directory.example']
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      certificate,
      ...subject,
    ],
    { stdio: 'ignore' },
  )
  const snippet = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
    .replaceAll('/etc/letsencrypt/live/directory.example', folder)
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`)
    .replace('127.0.0.1:8402', `127.0.0.1:${webs[0]}`)
    .replace('127.0.0.1:8403', `127.0.0.1:${webs[1]}`)
  writeFileSync(join(folder, 'tollbook.conf'), snippet)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${folder}/${what};`,
  )
  const config = `${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;
events {}\nhttp {\naccess_log off;\n${places.join('\n')}\ninclude ${folder}/tollbook.conf;\n}\n`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const words = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  execFileSync(nginx, ['-t', ...words], { stdio: 'pipe' })
  const child = spawn(nginx, words, { stdio: 'ignore' })
  return { child, certificate: readFileSync(certificate, 'utf8') }
}
