import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { backups } from '@voisol/contract/backups'
import { connections as endpoints } from '@voisol/contract/connections'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { startS3Simulator } from '../../../../test/s3.ts'
import { useServer } from '../../../../test/server.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'
import { lockMonthsThrough } from '../../accounting/books/index.ts'
import { getCopyContentKey, openCopyStore } from '../backups/index.ts'
import { runConnection } from './run-connection.ts'

const server = useServer()
let store: Awaited<ReturnType<typeof startS3Simulator>>
beforeAll(async () => {
  store = await startS3Simulator('un secret')
  server.deps.outside = createOutboundClient({ inner: true })
})
afterAll(() => store.close())
afterEach(() => vi.restoreAllMocks())
const mockToday = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

type Owner = Awaited<ReturnType<typeof makeUser>>
/** Sends the named shipments and returns the received files and the log. */
async function ship(owner: Owner, shipments: string[]) {
  const { companyId } = owner
  const prefix = `${companyId}/`
  const own = { region: 'eu-west-3', bucket: 'voisol', keyId: 'cle', secret: 'un secret', prefix }
  const settings = { ...own, endpoint: store.settings.FILES_S3_ENDPOINT }
  const body = { kind: 's3', name: 'Comptable', settings, shipments }
  const { id } = (await call(server, endpoints.create, { body }, owner)).body
  const run = async () => {
    await runConnection(server.deps, { companyId, id, askedBy: 'essai' })
    const [last] = (await call(server, endpoints.runs, { params: { id } }, owner)).body.items
    const { steps } = (await call(server, endpoints.run, { params: { id, runId: last.id } }, owner)).body
    return { last, texts: steps.map(({ text }: { text: string }) => text) }
  }
  const arrived = () =>
    [...store.objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  const content = (name: string) => store.objects.get(`${prefix}${name}`)?.content ?? Buffer.alloc(0)
  return { run, arrived, content }
}

test('sends the previous month’s books; an FEC that cannot be built is logged and blocks no other file', async () => {
  const owner = await makeUser(server.db)
  const { companyId } = owner
  const world = await makeMonthFixture(server.db, { companyId, members: 2 })
  const { id, name, siren } = world.seller
  mockToday('2026-06-04')
  await issueMonthDocuments(server.db, world)
  mockToday('2026-07-02')
  const sent = await ship(owner, ['book-fec', 'book-entries'])
  const first = await sent.run()
  expect(first.last).toMatchObject({ state: 'done', files: 1 })
  expect(first.texts).toEqual([
    expect.stringMatching(new RegExp(`^${name}.: .*Verrouillez d’abord un mois`)),
    `ecritures-${siren}-2026-06.csv envoyé.`,
  ])
  expect(sent.arrived()).toEqual([`ecritures-${siren}-2026-06.csv`])
  expect(sent.content(`ecritures-${siren}-2026-06.csv`).toString().split('\n').length).toBeGreaterThan(4)
  await lockMonthsThrough(server.db, { companyId, id, name, siren }, '2026-06', 'Camille')
  const second = await sent.run()
  // Once the month is locked its entries have numbers, so that the content differs.
  expect(second.texts).toEqual([`${siren}FEC20260630.txt envoyé.`, `ecritures-${siren}-2026-06.csv envoyé.`])
  expect(sent.content(`${siren}FEC20260630.txt`).toString('latin1')).toMatch(/^JournalCode\t/)
  expect((await sent.run()).texts).toEqual([
    `${siren}FEC20260630.txt n’a pas changé\u00a0: déjà envoyé.`,
    `ecritures-${siren}-2026-06.csv n’a pas changé\u00a0: déjà envoyé.`,
  ])
})

test('sends a company backup as an archive', async () => {
  const sent = await ship(await makeUser(server.db), ['company-copy'])
  mockToday('2026-07-02')
  expect((await sent.run()).last).toMatchObject({ state: 'done', files: 1 })
  expect(sent.arrived()).toEqual(['voisol-organisation-2026-07-02.zip'])
  expect(sent.content('voisol-organisation-2026-07-02.zip').subarray(0, 2).toString()).toBe('PK')
})

test('sends the newest installation backup encrypted with its manifest last, and logs when there is none', async () => {
  const keeper = await makeSiteAdmin(server.db)
  const sent = await ship(keeper, ['installation-copy'])
  expect((await sent.run()).texts).toEqual(['Aucune copie de l’installation n’a encore été faite.'])
  await call(server, backups.start, {}, keeper)
  await waitForJobs(server)
  const [{ name }] = (await call(server, backups.installation, {}, keeper)).body.copies
  expect((await sent.run()).texts).toEqual([`${name}.voisol envoyé.`, `${name}.json envoyé.`])
  const kept = await openCopyStore(server.deps.config).stream(getCopyContentKey(name))
  if (!kept) throw new Error('the copy is gone')
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(hash(sent.content(`${name}.voisol`))).toBe(hash(await buffer(kept)))
  expect(JSON.parse(sent.content(`${name}.json`).toString())).toMatchObject({ manifest: { name } })
})
