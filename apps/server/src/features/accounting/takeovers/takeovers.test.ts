import { billing } from '@voisol/contract/billing'
import { type ShadowRow, type TakeoverLine, takeovers } from '@voisol/contract/takeovers'
import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { allocateBillableMonth, type BillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices, participants } from '../../../db/schema/index.ts'
import { verifyInvoiceSequences } from '../../billing/invoices/index.ts'
import { loadOpenItems } from '../../payments/payments/index.ts'
import { parseCentsCell, parseMonth, parseWattHours } from './past-document-file.ts'
import { compareWithPastBilling } from './shadow-comparison.ts'

const server = useServer()
const HEAD = 'Numéro;Acheteur;Date;Échéance;Mois;Énergie (kWh);HT (€);TVA (€);TTC (€);Reste dû (€)'
const importLines = (here: BillableMonth, lines: string[], dryRun = false) =>
  call(
    server,
    takeovers.import,
    {
      query: {
        operationId: here.operation.id,
        sellerId: here.vendors[0]?.id,
        on: '2026-01-12',
        dryRun: String(dryRun),
      },
      upload: Buffer.from([HEAD, ...lines].join('\n')),
    },
    { token: here.token },
  )
/** Renames the participants: the shared fixture gives them similar names. */
async function makeNamedNeighbours() {
  const here = await makeBillableMonth(server)
  const people = await server.db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(eq(participants.companyId, here.companyId))
    .orderBy(asc(participants.id))
  for (const [at, { id }] of people.entries())
    await server.db
      .update(participants)
      .set({ name: `Voisin ${at}` })
      .where(eq(participants.id, id))
  return { here, buyers: people.map(({ id }, at) => ({ id, name: `Voisin ${at}` })) }
}

test('lists the last readings of each meter and the days missing for the first month here', async () => {
  const { here } = await makeNamedNeighbours()
  const read = async () =>
    (await call(server, takeovers.readings, { query: { operationId: here.operation.id } }, { token: here.token })).body
  const before = await read()
  expect(before.billedUntil).toBeNull()
  expect(before.items.length).toBeGreaterThan(1)
  expect(before.items.every(({ missing }: { missing: number }) => missing === 0)).toBe(true)
  await importLines(here, ['F-041;Voisin 0;04/12/2025;19/12/2025;11/2025;152,4;21,34;4,27;25,61;25,61'])
  const { billedUntil, items } = await read()
  expect(billedUntil).toBe('2025-12-01')
  const days = Temporal.PlainDate.from(billedUntil).until(Temporal.Now.plainDateISO('Europe/Paris')).days
  for (const { until, missing, state } of items) {
    if (until === null) expect([missing, state]).toEqual([days, 'none'])
    else expect(state).toBe(missing > 0 ? 'gap' : 'whole')
  }
})

test('proposes no close for a month billed elsewhere, and closes it only with a reason', async () => {
  const { here } = await makeNamedNeighbours()
  await allocateBillableMonth(server, here)
  const auth = { token: here.token }
  const params = { operationId: here.operation.id, month: '2025-10' }
  const october = async () =>
    (await call(server, billing.months, { query: { operationId: here.operation.id } }, auth)).body.items.find(
      ({ month }: { month: string }) => month === '2025-10',
    )
  expect((await october()).state).toBe('ready')
  await importLines(here, ['F-031;Voisin 0;04/11/2025;19/11/2025;10/2025;152,4;21,34;4,27;25,61;0'])
  expect((await october()).state).toBe('elsewhere')
  const checked = (await call(server, billing.check, { params, query: {} }, auth)).body
  expect([checked.state, checked.needsReason]).toEqual(['elsewhere', true])
  expect(checked.items[0].sentence).toContain('facturé ailleurs (1 document repris)')
  expect((await call(server, billing.close, { params, body: {} }, auth)).status).not.toBe(200)
  const reason = 'Le mois repris n’était qu’un acompte.'
  expect((await call(server, billing.close, { params, body: { reason } }, auth)).status).toBe(200)
})

test('opens accounts with past debts once, and changes nothing when a file is read again', async () => {
  const { here, buyers } = await makeNamedNeighbours()
  const lines = [
    'F-041;Voisin 0;04/12/2025;19/12/2025;11/2025;152,4;21,34;4,27;25,61;25,61',
    'F-042;voisin 1;04/12/2025;19/12/2025;;;;;18,09;0',
    'A-007;Voisin 0;11/12/2025;;11/2025;;-2,50;-0,50;-3,00;-3,00',
  ]
  const tried = await importLines(here, lines, true)
  expect(tried.body).toMatchObject({ added: 3, refused: 0, debit: 2561, credit: 300 })
  const past = async () =>
    (await call(server, takeovers.documents, { query: { operationId: here.operation.id } }, { token: here.token })).body
  expect((await past()).items).toEqual([])
  expect((await importLines(here, lines)).body).toMatchObject({ added: 3, known: 0 })
  expect((await importLines(here, lines)).body).toMatchObject({ added: 0, known: 3, debit: 0 })
  expect((await past()).items).toMatchObject([
    { number: 'A-007', kind: 'creditNote', gross: 300, open: 300, month: '2025-11-01' },
    { number: 'F-041', kind: 'invoice', net: 2134, tax: 427, wh: 152_400 },
    { number: 'F-042', month: '2025-11-01', wh: null, net: 1809, tax: 0, open: 0 },
  ])
  const pair = { sellerId: here.vendors[0]?.id ?? '', buyerId: buyers[0]?.id ?? null, clientSellerId: null }
  const open = await loadOpenItems(server.db, here.companyId, pair)
  const balance = open.reduce((sum, item) => sum + (item.side === 'debit' ? item.open : -item.open), 0)
  expect(balance).toBe(2561 - 300)
})

test('reports an invalid line and imports the others', async () => {
  const { here } = await makeNamedNeighbours()
  const { body } = await importLines(here, [
    'F-1;Voisin 0;04/12/2025;19/12/2025;11/2025;152,4;21,34;4,27;25,61;25,61',
    'F-1;Voisin 1;04/12/2025;;;;;;9,17;0',
    'F-2;Personne;04/12/2025;;;;;;9,17;0',
    'F-3;Voisin 1;31/02/2025;;;;;;9,17;0',
    'F-4;Voisin 1;04/12/2025;;;;8,00;1,00;9,17;0',
    'F-5;Voisin 1;04/12/2025;;;;;;9,17;9,18',
    'F-6;Voisin 1;04/02/2026;;;;;;9,17;0',
    'F-7;Voisin 1;04/12/2025;;;;;;neuf;0',
  ])
  expect(body).toMatchObject({ added: 1, refused: 7 })
  expect(body.lines.slice(1).map(({ message }: TakeoverLine) => message)).toEqual([
    'Ce numéro est déjà plus haut dans le fichier.',
    'Aucun participant de l’opération ne porte ce nom ni cette adresse.',
    expect.stringContaining('n’est pas une date'),
    expect.stringContaining('ne font pas le TTC'),
    'Le reste dû dépasse le TTC.',
    'Cette facture est postérieure à la reprise.',
    expect.stringContaining('n’est pas un montant'),
  ])
  const changed = await importLines(here, ['F-1;Voisin 0;04/12/2025;19/12/2025;11/2025;;;;25,62;0'])
  expect(changed.body.lines[0].message).toBe('Ce numéro a déjà été repris avec un autre montant.')
  const twins = await server.db
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.companyId, here.companyId))
  for (const { id } of twins.slice(1, 3))
    await server.db.update(participants).set({ name: 'Jumeau' }).where(eq(participants.id, id))
  const twin = await importLines(here, ['F-8;Jumeau;04/12/2025;;;;;;9,17;0'])
  expect(twin.body.lines[0].message).toContain('Plusieurs participants portent ce nom')
  const untitled = await call(
    server,
    takeovers.import,
    {
      query: { operationId: here.operation.id, sellerId: here.vendors[0]?.id, on: '2026-01-12' },
      upload: Buffer.from('Nom;Somme\nA;3'),
    },
    { token: here.token },
  )
  expect(untitled.body.message).toContain('il manque Numéro, Date, TTC')
})

test('continues a series from another program with a valid chain, and never moves it once begun', async () => {
  const { here } = await makeNamedNeighbours()
  await allocateBillableMonth(server, here)
  const year = Temporal.Now.plainDateISO('Europe/Paris').year
  const [seller] = here.vendors
  const go = (last: number) =>
    call(server, takeovers.continueSeries, { body: { sellerId: seller?.id, year, last } }, { token: here.token })
  expect((await go(137)).body.next).toBe(`${seller?.prefix}${year}-00138`)
  const params = { operationId: here.operation.id, month: '2025-10' }
  await call(server, billing.close, { params, body: {} }, { token: here.token })
  await call(server, billing.issue, { params }, { token: here.token })
  const own = await server.db
    .select({ number: invoices.number })
    .from(invoices)
    .where(eq(invoices.sellerId, seller?.id ?? ''))
    .orderBy(asc(invoices.position))
  expect(own.map(({ number }) => number.slice(-5))).toEqual(['00138', '00139', '00140'])
  const verdict = (await verifyInvoiceSequences(server.db)).find(({ prefix }) => prefix === seller?.prefix)
  expect(verdict).toMatchObject({ documents: 3 })
  expect(verdict?.broken).toBeUndefined()
  expect((await go(200)).body.message).toContain('elle ne se déplace plus')
})

test('compares a month billed elsewhere with ours by difference, and writes nothing', async () => {
  const { here, buyers } = await makeNamedNeighbours()
  await allocateBillableMonth(server, here)
  const shadow = async (): Promise<{ rows: ShadowRow[]; totals: Record<string, number> }> =>
    (
      await call(
        server,
        takeovers.shadow,
        { query: { operationId: here.operation.id, month: '2025-10' } },
        { token: here.token },
      )
    ).body
  const before = await shadow()
  expect(before.rows).toHaveLength(6)
  expect(before.rows.every(({ cause, theirs }) => cause === 'extra' && theirs === null)).toBe(true)
  const ours = before.rows.find(({ seller }) => seller.id === here.vendors[0]?.id)
  const name = buyers.find(({ id }) => id === ours?.buyer.id)?.name
  const euros = (cents: number) => (cents / 100).toFixed(2)
  const { wh = 0, net = 0, tax = 0, gross = 0 } = ours?.ours ?? {}
  await importLines(here, [
    `F-9;${name};04/11/2025;;10/2025;${wh / 1000};${euros(net)};${euros(tax)};${euros(gross)};0`,
  ])
  const after = await shadow()
  expect(after.totals).toMatchObject({ same: 1, differs: 5, theirs: gross })
  expect(await server.db.select().from(invoices).where(eq(invoices.companyId, here.companyId))).toEqual([])
})

test('names the first differing figure as the cause', () => {
  const pair = { sellerId: 's', buyerId: 'b' }
  const ours = { ...pair, wh: 152_437, net: 2134, tax: 427, gross: 2561 }
  const theirs = { ...ours, kind: 'invoice' as const }
  const cause = (more: object) => compareWithPastBilling([ours], [{ ...theirs, ...more }])[0]?.cause
  expect(cause({ wh: 152_400 })).toBe('none')
  expect(cause({ wh: 152_300 })).toBe('energy')
  expect(cause({ net: 2135, gross: 2562 })).toBe('price')
  expect(cause({ tax: 0, gross: 2134 })).toBe('tax')
  expect(cause({ wh: null })).toBe('none')
  expect(compareWithPastBilling([], [theirs])[0]).toMatchObject({ cause: 'missing', difference: -2561 })
  const less = { ...theirs, kind: 'creditNote' as const, net: 100, tax: 20, gross: 120 }
  expect(compareWithPastBilling([ours], [theirs, less])[0]).toMatchObject({ theirs: { gross: 2441 }, difference: 120 })
})

test('reads amounts, energies and months as people write them', () => {
  expect(['1 234,5 €', '0,07', '-3', '12.30'].map(parseCentsCell)).toEqual([123_450, 7, -300, 1230])
  expect(() => parseCentsCell('1,234')).toThrow('n’est pas un montant')
  expect(['152,4', '3', '0,1239 kWh'].map(parseWattHours)).toEqual([152_400, 3000, 123])
  expect(['05/2026', '2026-5', '17/05/2026'].map(parseMonth)).toEqual(['2026-05-01', '2026-05-01', '2026-05-01'])
  expect(() => parseMonth('13/2026')).toThrow('n’est pas un mois')
})
