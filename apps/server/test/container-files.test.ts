import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = path.join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
type Stage = { image: string; name?: string; instructions: { name: string; text: string }[] }
const { listBuildContext, parseDockerfile, parseIgnore } = (await import(
  path.join(root, 'scripts/lib/dockerfile.mjs')
)) as {
  listBuildContext: (folder: string, ignoreText: string) => string[]
  parseDockerfile: (text: string) => Stage[]
  parseIgnore: (text: string) => (file: string) => boolean
}
const stages = parseDockerfile(read('Dockerfile'))
const isIgnored = parseIgnore(read('.dockerignore'))

describe('.dockerignore', () => {
  const context = new Set(listBuildContext(root, read('.dockerignore')))

  test.each([
    '.git/config',
    'node_modules/pg/package.json',
    'apps/web/node_modules/x',
    'apps/web/build/index.html',
    'data/files/1/abc',
    '.cache/test/unit.log',
    'apps/server/src/main.test.ts',
    'apps/server/test/faults.test.ts',
  ])('keeps %s out of the image', (file) => expect(isIgnored(file)).toBe(true))

  test('leaves in the image no secret, copy or database, whatever its name and its folder', () => {
    const folders = new Set([...context].map((file) => path.dirname(file)))
    const names = [
      '.env',
      '.env.local',
      'voisol.env',
      'prod.env',
      'compose.override.yaml',
      'secret.key',
      'privkey.pem',
      'dump.sql',
      'base.dump',
      'voisol-2026-11-19.json',
      'copie.voisol',
      'journal.log',
      'backup-key',
      'files/1/abc',
    ]
    const places = [...folders, 'secrets', 'apps/server/data', 'copies/copies', 'sauvegardes']
    // The two figures of the site are the only free names among data files.
    const planted = places.flatMap((folder) => names.map((name) => path.join(folder, name)))
    expect(planted.filter((file) => !isIgnored(file) && !file.startsWith('apps/web/src/site/day/'))).toEqual([])
  })

  test('leaves in the image all that the program imports or reads', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    const isNeeded = (file: string) =>
      /^(?:apps|packages)\/\w+\/(?:src|content|tables|public)\//.test(file) &&
      !/\.test\.tsx?$|\/migrations\/meta\/\d+_snapshot\.json$/.test(file)
    expect(tracked.filter((file) => isNeeded(file) && !context.has(file) && existsSync(path.join(root, file)))).toEqual(
      [],
    )
    for (const file of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'apps/web/vite.config.ts',
      'apps/web/index.html',
    ])
      expect(context).toContain(file)
  })

  test('the last matching pattern decides, and a folder covers everything below it', () => {
    const ignores = parseIgnore('# why\n*.md\n!README.md\ndocs/*/private\n')
    expect(['a.md', 'README.md', 'docs/a/private/x', 'docs/private', 'b/a.md'].map(ignores)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
  })
})

describe('the image', () => {
  test('uses the Node version that the project is tested with, to the patch', () => {
    const { devDependencies } = JSON.parse(read('package.json'))
    for (const { image } of stages) expect(image).toBe(`node:${devDependencies.node}-bookworm-slim`)
    const page = read('docs/operations.md')
    for (const name of [`node@${devDependencies.node} `, `node:${devDependencies.node}-bookworm-slim `])
      expect(page).toContain(name)
  })

  test('runs under an unprivileged account, and states the commit it was built from', () => {
    const last = stages.at(-1)?.instructions ?? []
    expect(last.find(({ name }) => name === 'USER')?.text).toBe('node')
    expect(last.find(({ name }) => name === 'COPY')?.text).toBe('--from=build /app /app')
    expect(last.findIndex(({ name }) => name === 'USER')).toBeLessThan(last.findIndex(({ name }) => name === 'CMD'))
    for (const { instructions } of stages)
      expect(instructions.find(({ name }) => name === 'ARG')?.text).toBe('VOISOL_COMMIT')
    expect(last.find(({ name }) => name === 'ENV')?.text).toContain('VOISOL_COMMIT=$VOISOL_COMMIT')
  })
})

type Mirror = { mirror?: string; keyring?: string }
const { findMirror, parseProxies } = (await import(path.join(root, 'scripts/lib/apt-source.mjs'))) as {
  findMirror: (texts: string[], suite: string) => Mirror
  parseProxies: (text: string) => Record<string, string>
}

test('a temporary folder of a run is removed, even after a signal', async () => {
  const file = path.join(root, 'scripts/lib/chroot.mjs')
  const text = `import { makeRunFolder } from ${JSON.stringify(file)}
    console.log(makeRunFolder('voisol-try-'))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const made = String(line).trim()
  expect(existsSync(made)).toBe(true)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([143, null])
  expect(existsSync(made)).toBe(false)
})

describe('the Debian archive that apt uses', () => {
  const other = 'Types: deb\nURIs: https://exemple.fr/docker\nSuites: bookworm\nComponents: stable\n'
  const security = 'deb http://exemple.fr/security trixie-security main\n'

  test('is found at any address, in both file formats, with the suite’s own first', () => {
    const lines = 'deb [arch=arm64 signed-by=/a.gpg] http://exemple.fr/a/miroir trixie main contrib\n'
    const paragraphs =
      'Types: deb deb-src\nURIs: https://exemple.fr/b\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /b.gpg\n'
    expect(findMirror([other, security, lines], 'bookworm')).toEqual({
      mirror: 'http://exemple.fr/a/miroir',
      keyring: '/a.gpg',
    })
    expect(findMirror([lines, `${other}\n${paragraphs}`], 'bookworm')).toEqual({
      mirror: 'https://exemple.fr/b',
      keyring: '/b.gpg',
    })
    expect(findMirror([`Enabled: no\n${paragraphs}`, other, security], 'bookworm').mirror).toBeUndefined()
  })

  test('is reached through the proxies configured for apt, if any', () => {
    expect(parseProxies("http_proxy='http://127.0.0.1:3142'\nhttps_proxy='DIRECT'\n")).toEqual({
      http_proxy: 'http://127.0.0.1:3142',
    })
    expect(parseProxies('')).toEqual({})
  })
})

const folder = mkdtempSync(path.join(tmpdir(), 'voisol-compose-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** As Compose interpolates it, with the required variables only. */
const interpolate = (text: string) =>
  text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+(?::\?[^}]*)?\}/g, 'donne')

/** Style rules, and rules for builds that are also tagged. */
const NOT_ASKED = [
  'no-build-and-image',
  'no-quotes-in-volumes',
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
  'service-ports-alphabetical-order',
  'service-dependencies-alphabetical-order',
]
type Problem = { rule: string; message: string }
/** Violations of the Compose specification, and usual mistakes. */
async function lint(name: string, text: string): Promise<Problem[]> {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  const command = path.join(root, 'node_modules/.bin/dclint')
  const args = [file, '-f', 'json', ...NOT_ASKED.flatMap((rule) => ['--disable-rule', rule])]
  const out = await new Promise<string>((resolve) =>
    execFile(process.execPath, [command, ...args], (_, stdout) => resolve(stdout)),
  )
  const [report] = JSON.parse(out) as { messages: Problem[] }[]
  return report?.messages ?? []
}

type Service = Record<string, unknown> & {
  image: string
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
}
const FILES = ['compose.yaml', 'compose.citus.yaml']

describe.each(FILES)('%s', (file) => {
  const text = interpolate(read(file))
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> }
  const all = Object.entries(services)
  /** One-shot services, which others wait for. */
  const once = new Set(
    all.flatMap(([, { depends_on = {} }]) =>
      Object.entries(depends_on)
        .filter(([, { condition }]) => condition === 'service_completed_successfully')
        .map(([name]) => name),
    ),
  )

  test('is valid for the Compose specification', async () => {
    expect(await lint(file, text)).toEqual([])
  })

  test('long-running services restart, one-shot services do not', () => {
    for (const [name, { restart }] of all)
      expect([name, restart]).toEqual([name, once.has(name) ? 'no' : 'unless-stopped'])
  })

  test('databases and servers get the time that stopping takes', () => {
    const asked = all.filter(([, { image }]) => /^(?:voisol|postgres|citusdata\/citus):/.test(image))
    for (const [name, service] of asked.filter(([one]) => !once.has(one)))
      expect([name, service.stop_grace_period]).toEqual([name, service.image.startsWith('voisol:') ? '40s' : '2m'])
  })

  test('every image is pinned to its patch version', () => {
    // The second number of PostgreSQL is its patch.
    const tag = /^(?:postgres:\d+\.\d+-\w+|.*:v?\d+\.\d+\.\d+\S*|.*:RELEASE\.\d{4}-\S+|voisol:\S+)$/
    for (const [name, { image }] of all) expect([name, image]).toEqual([name, expect.stringMatching(tag)])
  })

  test('ports are open to this machine only', () => {
    const ports = all.flatMap(([, service]) => service.ports ?? [])
    expect(ports.length).toBeGreaterThan(0)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:3000$/)
  })

  test('servers keep encrypted backups on a volume, and need the key to start', () => {
    for (const [name, service] of all.filter(([, { image }]) => image.startsWith('voisol:'))) {
      expect([name, service.environment?.BACKUP_KEY, service.environment?.BACKUP_FOLDER]).toEqual([
        name,
        'donne',
        '/copies',
      ])
      expect(service.volumes).toContain('copies:/copies')
    }
    expect(read(file)).toMatch(/BACKUP_KEY: \$\{BACKUP_KEY:\?/)
  })
})

test('a file that violates the specification, or listens on all addresses, is refused', async () => {
  const wrong = await lint(
    'compose.wrong.yaml',
    "services:\n  web:\n    image: 'x:1.2'\n    restarts: always\n    ports: ['3000:3000']\n",
  )
  expect(wrong.map(({ rule }) => rule)).toContain('invalid-schema')
  const open = await lint('compose.open.yaml', "services:\n  web:\n    image: 'x:1.2'\n    ports: ['3000:3000']\n")
  expect(open.map(({ rule }) => rule)).toContain('no-unbound-port-interfaces')
})
