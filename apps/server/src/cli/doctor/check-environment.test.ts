import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { makeCompany } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import type { Db } from '../../db/client.ts'
import { brandHosts } from '../../db/schema/index.ts'
import { checkClock, checkDisk, checkHostNames, checkMail, computeClockSkew } from './check-environment.ts'
import { checkStoredFiles } from './check-stored-data.ts'
import { formatReport } from './doctor.ts'
import type { DoctorFinding } from './finding.ts'

const server = useServer()
const formatFindings = (found: DoctorFinding[]) => found.map(({ level, text }) => `${level} ${text}`)
/** A database that always gives one row. */
const createFixedDatabase = (row: () => object) =>
  ({ $client: { query: async () => ({ rows: [row()] }) } }) as unknown as Db

test('clocks: the duration of the query is discounted, the rest is reported', async () => {
  expect([
    computeClockSkew(1000, 1500, 2000),
    computeClockSkew(1000, 6000, 2000),
    computeClockSkew(1000, 0, 2000),
  ]).toEqual([0, 4, -1])
  expect(formatFindings(await checkClock(server.db, undefined))).toEqual(['ok Horloges à la même heure'])
  const ahead = createFixedDatabase(() => ({ at: Date.now() + 90_000 }))
  expect(formatFindings(await checkClock(ahead, undefined))[0]).toMatch(
    /^fault L’horloge de la base avance de (89|90)(,\d)?\u00a0s/,
  )
  const site = createServer((_, response) =>
    response.writeHead(200, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end(),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  expect(formatFindings(await checkClock(server.db, url))[0]).toMatch(
    /^fault L’horloge de l’adresse publique retarde de 3.(59|60)/,
  )
  await new Promise((resolve) => site.close(resolve))
  expect(formatFindings(await checkClock(server.db, url))).toEqual(['ok Horloges à la même heure'])
})

test('disks: full, nearly full, and a folder that does not exist', async () => {
  const { config } = server.deps
  const levels = async (bavail: number) =>
    (await checkDisk(config, async () => ({ bavail, bsize: 4096, blocks: 10_000_000 }))).map(({ level }) => level)
  expect([await levels(5_000_000), await levels(1_000_000), await levels(400_000), await levels(100_000)]).toEqual([
    ['ok'],
    ['warning'],
    ['fault'],
    ['fault'],
  ])
  const [, copies] = await checkDisk({ ...config, BACKUP_FOLDER: join(config.dataDir, 'nowhere') })
  expect(copies).toMatchObject({ level: 'fault', text: expect.stringContaining('absent') })
})

test('host names: a missing one is a fault for the installation, a warning for a company', async () => {
  const { id } = await makeCompany(server.db)
  await server.db
    .insert(brandHosts)
    .values({ companyId: id, host: 'soleil.exemple.fr', token: 't', provedAt: new Date() })
  const config = { ...server.deps.config, PUBLIC_URL: 'https://energie.exemple.fr' }
  const find = async (host: string) => {
    if (host.endsWith('exemple.fr')) throw new Error('ENOTFOUND')
  }
  expect(formatFindings(await checkHostNames(config, server.db, find))).toEqual([
    'fault energie.exemple.fr (PUBLIC_URL) n’a pas d’adresse',
    `warning soleil.exemple.fr, adresse de l’organisation ${id}, n’a plus d’adresse`,
  ])
  expect(formatFindings(await checkHostNames(config, server.db, async () => {}))).toEqual(['ok Noms trouvés (3)'])
  await server.db.delete(brandHosts)
})

test('mail: unreachable, refused, unencrypted, and working', async () => {
  const { url } = server.catcher
  expect((await checkMail(url))[0]?.level).toBe('ok')
  expect((await checkMail(url.replace('127.0.0.1', '0.0.0.0')))[0]).toMatchObject({
    level: 'warning',
    text: expect.stringContaining('STARTTLS'),
  })
  const strict = new SMTPServer({ logger: false, onAuth: (_auth, _session, done) => done(new Error('no')) })
  await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve))
  const at = `127.0.0.1:${(strict.server.address() as AddressInfo).port}`
  // Its certificate is self-signed.
  const refused = await checkMail(`smtp://a:b@${at}?tls.rejectUnauthorized=false`)
  expect(refused[0]).toMatchObject({ level: 'fault', remedy: expect.stringContaining('mot de passe') })
  await new Promise<void>((resolve) => strict.close(resolve))
  expect((await checkMail(`smtp://${at}`))[0]).toMatchObject({
    level: 'fault',
    remedy: expect.stringContaining('port'),
  })
  expect((await checkMail(undefined))[0]?.level).toBe('ok')
})

test('files: a store that loses or refuses them, and machines that do not share one', async () => {
  const { files, config } = server.deps
  expect(formatFindings(await checkStoredFiles(files, server.db, config))).toEqual([
    'ok Fichiers écrits, relus et effacés',
  ])
  expect(await files.list('doctor')).toEqual([])
  const refusing = { ...files, put: () => Promise.reject(new Error('EROFS')) }
  const forgetting = { ...files, get: async () => undefined }
  for (const store of [refusing, forgetting])
    expect((await checkStoredFiles(store, server.db, config))[0]).toMatchObject({ level: 'fault' })
  const many = createFixedDatabase(() => ({ n: 2 }))
  expect(formatFindings(await checkStoredFiles(files, many, config))[0]).toMatch(/^fault Un autre processus/)
})

test('the report is text, or JSON', () => {
  const well: DoctorFinding = { check: 'disk', level: 'ok', text: 'Disque libre' }
  const soon: DoctorFinding = { check: 'keys', level: 'warning', text: 'Vieille clé', remedy: 'Changez-la.' }
  const broken: DoctorFinding = { check: 'mail', level: 'fault', text: 'Fermé', remedy: 'Ouvrez.' }
  expect(formatReport([well], false)).toEqual({ ok: true, text: '✓ Disque libre\n\nTout va bien.' })
  expect(formatReport([well, soon], false)).toMatchObject({
    ok: true,
    text: expect.stringContaining('! Vieille clé\n    → Ch'),
  })
  expect(formatReport([well, soon, broken], false)).toMatchObject({
    ok: false,
    text: expect.stringContaining('✗ Fermé'),
  })
  expect(JSON.parse(formatReport([well, broken], true).text)).toEqual({ ok: false, findings: [well, broken] })
})

test('the exit code of the command tells whether something is broken', async () => {
  const { PATH = '', LD_LIBRARY_PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const own = { NODE_ENV: 'test', DATA_DIR: server.deps.config.dataDir, DATABASE_URL: server.url }
  const env = { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE, ...own, SMTP_URL: 'smtp://127.0.0.1:1' }
  const node = ['--import', new URL('../../resolve-once.ts', import.meta.url).href]
  const command = [...node, join(import.meta.dirname, '../../cli.ts'), 'doctor', '--json']
  const { code, out } = await new Promise<{ code: unknown; out: string }>((resolve) =>
    execFile(process.execPath, command, { env }, (error, stdout) => resolve({ code: error?.code, out: stdout })),
  )
  const { ok, findings } = JSON.parse(out)
  const faults = findings
    .filter(({ level }: DoctorFinding) => level === 'fault')
    .map(({ check }: DoctorFinding) => check)
  expect([code, ok, faults]).toEqual([1, false, ['mail']])
})
