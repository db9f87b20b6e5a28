import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Environment, EXAMPLE_SECRET, loadConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'voisol-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Root may read everything: access rights of files apply only to other accounts. */
function asOrdinaryAccount<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work()
  chmodSync(folder, 0o755)
  process.seteuid?.(65534)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}

const getLoadError = (source: Record<string, string>) => {
  try {
    loadConfig({ DATA_DIR: folder, ...source })
  } catch (error) {
    return String(error)
  }
  throw new Error('the configuration was accepted')
}

const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET_KEY: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=',
  DATABASE_URL: 'postgres://voisol@localhost/voisol',
  PUBLIC_URL: 'https://energie.exemple.fr',
  SMTP_URL: 'smtps://smtp.exemple.fr',
}

describe('configuration', () => {
  test('needs no variable in development, and keeps its generated key', () => {
    const first = loadConfig({ DATA_DIR: folder })
    expect(first).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', demo: true, production: false })
    expect(loadConfig({ DATA_DIR: folder }).secretKey.equals(first.secretKey)).toBe(true)
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  test('reads an empty variable as absent', () => {
    expect(loadConfig({ DATA_DIR: folder, DATABASE_URL: '', SMTP_URL: '' }).DATABASE_URL).toBeUndefined()
  })

  test('reports every invalid variable at once, in French', () => {
    const text = getLoadError({
      PORT: 'abc',
      ROLE: 'boss',
      SMTP_URL: 'http://x',
      LOG_LEVEL: 'loud',
      FILES_S3_BUCKET: 'b',
    })
    for (const name of ['PORT', 'ROLE', 'SMTP_URL', 'LOG_LEVEL', 'FILES_S3_*'])
      expect(text).toContain(`- ${name}\u00a0:`)
    expect(text).not.toMatch(/invalid|expected|received|option/i)
  })

  test('in production reports what is missing together with what is invalid', () => {
    const text = getLoadError({ NODE_ENV: 'production', PORT: '99999', DEMO: 'on' })
    const names = [...text.matchAll(/- (\S+)\u00a0:/g)].map(([, name]) => name)
    expect(names).toEqual(['PORT', 'SECRET_KEY', 'DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL', 'DEMO'])
  })

  test('starts in production with everything set, without demo data', () => {
    expect(loadConfig({ DATA_DIR: folder, ...PRODUCTION })).toMatchObject({ production: true, demo: false })
    const embedded = { ...PRODUCTION, DATABASE_URL: '', EMBEDDED_DB: 'allow' }
    expect(loadConfig({ DATA_DIR: folder, ...embedded }).production).toBe(true)
  })

  test.each([EXAMPLE_SECRET, `${'A'.repeat(43)}=`])('refuses the publicly known key %s in production', (SECRET_KEY) => {
    expect(getLoadError({ ...PRODUCTION, SECRET_KEY })).toContain('SECRET_KEY\u00a0: cette clé est connue')
  })

  test.each(['too-short', 'A'.repeat(44)])('refuses the malformed key %s', (SECRET_KEY) => {
    expect(getLoadError({ SECRET_KEY })).toContain('32 octets en base64')
  })

  test('reports a data folder that cannot be used', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(getLoadError({ DATA_DIR: join(folder, 'file/data') })).toMatch(
      /ne peut pas être utilisé \(ENOTDIR\).*DATA_DIR/,
    )
  })

  test.each(['secret', 'backup'])(
    'reports in a sentence a %s key owned by another account, and leaves it alone',
    (name) => {
      const dir = mkdtempSync(join(folder, 'closed-'))
      loadConfig({ DATA_DIR: dir })
      const path = join(dir, `${name}.key`)
      const before = readFileSync(path, 'utf8')
      chmodSync(dir, 0o777)
      for (const one of ['secret', 'backup']) chmodSync(join(dir, `${one}.key`), 0o644)
      chmodSync(path, 0o000)
      const text = asOrdinaryAccount(() => getLoadError({ DATA_DIR: dir }))
      expect(text).toMatch(
        new RegExp(`${name}\\.key ne peut pas être lue ou écrite \\(EACCES\\).*donnez ${name.toUpperCase()}_KEY`),
      )
      expect(text).toContain('StartupError')
      chmodSync(path, 0o600)
      expect(readFileSync(path, 'utf8')).toBe(before)
    },
  )

  test('does not replace a damaged key', () => {
    const dir = mkdtempSync(join(folder, 'damaged-'))
    writeFileSync(join(dir, 'secret.key'), 'oops')
    expect(getLoadError({ DATA_DIR: dir })).toContain('est illisible')
    expect(readFileSync(join(dir, 'secret.key'), 'utf8')).toBe('oops')
  })
})

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const shown = Object.fromEntries([...text.matchAll(/^# ([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name, v]) => [name, v]))

  const composeFiles = ['compose.yaml', 'compose.citus.yaml'].map((name) =>
    readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'),
  )
  // Set on the command line of a build: in .env it would override what the image states.
  const ofTheBuild = new Set(['VOISOL_COMMIT'])
  const composeVariables = composeFiles
    .flatMap((one) => [...one.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))
    .filter((name) => !ofTheBuild.has(name))

  test('lists every variable of the server and of the Compose files, and no other', () => {
    const known = new Set([...Object.keys(Environment.shape), ...composeVariables])
    expect(Object.keys(shown).sort()).toEqual([...known].sort())
  })

  test('lists the default values', () => {
    for (const [name, schema] of Object.entries(Environment.shape)) {
      const preset = schema.safeParse(undefined).data
      if (preset !== undefined) expect(`${name}=${shown[name]}`).toBe(`${name}=${preset}`)
    }
  })
})

describe('docs/configuration.md', async () => {
  const script = fileURLToPath(new URL('../../../scripts/configuration.mjs', import.meta.url))
  const { buildConfigurationPage } = (await import(script)) as {
    buildConfigurationPage: (sections?: Record<string, Record<string, z.ZodType>>) => string
  }
  const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')

  test('is what `npm run docs:configuration` writes', () => {
    expect(page).toBe(buildConfigurationPage())
  })

  test('shows every variable of the server once, and no other', () => {
    const shown = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name)
    expect(shown.sort()).toEqual(Object.keys(Environment.shape).sort())
  })

  test('is refused where a variable has no description', () => {
    expect(() => buildConfigurationPage({ Serveur: { NEW_ONE: z.string() } })).toThrow('NEW_ONE has no description')
  })

  test('shows the fallback of a variable without a default, and escapes what would end a cell', () => {
    const NEW_ONE = z.string().optional().meta({ fallback: 'déduit', description: '`a|b`.' })
    expect(buildConfigurationPage({ Serveur: { NEW_ONE } })).toContain('| `NEW_ONE` | déduit | `a\\|b`. |')
  })
})
