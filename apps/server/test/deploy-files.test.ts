import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(root, 'deploy', file), 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'voisol-deploy-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** Programs of the system stand where an account's PATH may not look. */
const env = { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/sbin'].join(path.delimiter) }
const isInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`], { env }).status === 0
/** Says why the tests of a program that is missing do not run. */
function isMissing(program: string): boolean {
  if (isInstalled(program)) return false
  console.log(`skipped, ${program} is not installed: it does not check its files of deploy/`)
  return true
}
function check(program: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env })
  return { status, text: `${stdout}${stderr}` }
}
const NO_SYSTEMD = isMissing('systemd-analyze')
const NO_NGINX = isMissing('nginx')

/** Sections and settings of a systemd unit; a repeated setting has all its values. */
function parseUnit(text: string): Record<string, Record<string, string[]>> {
  const unit: Record<string, Record<string, string[]>> = {}
  let section: Record<string, string[]> = {}
  for (const line of text.split('\n').filter((one) => one && !one.startsWith('#'))) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? []
    if (name) {
      section = {}
      unit[name] = section
      continue
    }
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw new Error(`not a setting: ${line}`)
    section[key] = [...(section[key] ?? []), value]
  }
  return unit
}

describe.each(['voisol.service', 'voisol-worker.service'])('%s', (name) => {
  const text = read(name)
  const { Unit, Service, Install } = parseUnit(text)

  test('starts the program of the image under its own account, and restarts it whenever it ends', () => {
    const start = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(start) ?? []
    const program = (JSON.parse(command) as string[]).slice(1).join(' ')
    expect(Service?.ExecStart?.[0]).toMatch(/^\S/)
    expect(Service?.ExecStart?.[0]?.endsWith(`/opt/voisol/node_modules/.bin/node ${program}`)).toBe(true)
    expect([Service?.User, Service?.Restart, Unit?.StartLimitIntervalSec, Install?.WantedBy]).toEqual([
      ['voisol'],
      ['always'],
      ['0'],
      ['multi-user.target'],
    ])
  })

  test('gives the program time to stop, and creates private files', () => {
    expect(Number(Service?.TimeoutStopSec?.[0])).toBeGreaterThan(30)
    expect(Service?.UMask).toEqual(['0077'])
    expect(Service?.ReadWritePaths).toEqual(['/var/lib/voisol /var/backups/voisol'])
  })

  test.skipIf(NO_SYSTEMD)('is accepted by systemd, where installed', () => {
    const unit = path.join(folder, name)
    writeFileSync(
      unit,
      text.replaceAll('/opt/voisol/node_modules/.bin/node', process.execPath).replace('/opt/voisol\n', '/\n'),
    )
    expect(check('systemd-analyze', ['verify', unit])).toEqual({ status: 0, text: '' })
  })
})

describe('docs/operations.md', () => {
  const page = readFileSync(path.join(root, 'docs/operations.md'), 'utf8')

  test('explains how to open a folder that the units protect', () => {
    expect(page).toMatch(/systemctl edit voisol +# dans \[Service\] : ReadWritePaths=\/srv\/copies/)
  })

  test('has blocks that the walk runs wherever it installs, updates or restores', () => {
    const walked = page.split(/^## /m).filter((section) => /^```sh walk$/m.test(section))
    expect(walked.map((section) => section.split('\n')[0])).toEqual(['Installer', 'Mettre à jour', 'Restaurer'])
  })

  test('obtains a certificate only while nginx has released its port, also for renewals', () => {
    const [command = ''] = /^certbot certonly --standalone .*$/m.exec(page) ?? []
    expect(command).toContain("--pre-hook 'systemctl stop nginx' --post-hook 'systemctl start nginx'")
  })
})

test('.ci/run installs nginx, so that a whole run checks its configuration', () => {
  expect(readFileSync(path.join(root, '.ci/run'), 'utf8')).toMatch(/nginx \] \|\| packages\+=\(nginx\)/)
})

test('the nginx configuration forwards the client address, and refuses the API in clear instead of redirecting it', () => {
  const text = read('nginx.conf')
  const [, clear = ''] = /^server \{\n([\s\S]*?)^\}/m.exec(text) ?? []
  expect(clear).toMatch(/listen 80;[\s\S]*location \/api\/ \{\s*return 403;\s*\}\s*location \/ \{\s*return 301 https:/)
  expect(text).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
  expect(text).toContain('proxy_pass http://127.0.0.1:3000;')
})

test.skipIf(NO_NGINX)('the nginx configuration is accepted, where installed', () => {
  const text = read('nginx.conf')
  const key = path.join(folder, 'key.pem')
  const certificate = path.join(folder, 'certificate.pem')
  const subject = ['-subj', '/CN=energie.exemple.fr', '-days', '1']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    { stdio: 'pipe' },
  )
  const site = text
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replaceAll(/listen (\[::\]:)?(80|443)/g, (_, six = '', port) => `listen ${six}1${port}`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const ownFolders = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${ownFolders}\n${site}\n}\n`,
  )
  const found = check('nginx', ['-t', '-p', folder, '-c', file])
  expect([found.status, found.text]).toEqual([0, expect.stringContaining('test is successful')])
})
