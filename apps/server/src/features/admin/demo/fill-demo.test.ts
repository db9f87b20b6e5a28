import { addDays, addMonths } from '@voisol/energy/calendar'
import { createSmallScale, type DemoScale } from '@voisol/simulator/demo/blueprint'
import { TILLEULS_ID } from '@voisol/simulator/demo/identities'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { loadPartyIssues, loadSellers } from '../../billing/parties/index.ts'
import { loadPriceIssues } from '../../billing/tariffs/index.ts'
import { loadDueAccounts } from '../../payments/reminders/index.ts'
import { fillDemo, findDemoCompany } from './fill-demo.ts'

const server = useServer()
const ANCHOR = '2025-11-05'
const MONTHS = 5
const HOMES = 11

const scale = (anchor: string): DemoScale => ({ ...createSmallScale(anchor, MONTHS), homes: HOMES })
const fill = (companyId: number, today = ANCHOR, signal?: AbortSignal) =>
  fillDemo(server.deps, { companyId, today, scale, signal })

/** All demo data, without reception times and without the identifiers of runs and people. */
async function contents(companyId: number) {
  const { rows: days } = await server.db.execute(sql`
    select point_id, day, version, quality, present, md5(watts) as watts, superseded_at is null as current
      from curve_days where company_id = ${companyId} order by 1, 2, 3`)
  const { rows: runs } = await server.db.execute(sql`
    select starts_on, ends_on, kind, status, result_hash, stale_at is not null as stale from allocation_runs
     where company_id = ${companyId} order by 1, 2, 6`)
  const { rows: people } = await server.db.execute(sql`
    select p.name, d.prm, s.starts_on, s.ends_on from participations s
      join participants p on p.company_id = s.company_id and p.id = s.participant_id
      join points d on d.company_id = s.company_id and d.id = s.point_id
     where s.company_id = ${companyId} order by 2, 3`)
  const { rows: consents } = await server.db.execute(sql`
    select p.name, c.purpose, c.given_at, c.expires_on from consents c
      join participants p on p.company_id = c.company_id and p.id = c.participant_id
     where c.company_id = ${companyId} order by 1, 2`)
  return { days, runs, people, consents }
}

let whole = 0
let first: Awaited<ReturnType<typeof fill>>
let made: Awaited<ReturnType<typeof contents>>
beforeAll(async () => {
  whole = (await makeUser(server.db)).companyId
  first = await fill(whole)
  made = await contents(whole)
})

test('pays every invoice except late ones, debits rejected by the bank and transfers on its statement', async () => {
  const late = await loadDueAccounts(server.db, whole, ANCHOR)
  expect(late.length).toBeGreaterThanOrEqual(2)
  expect(late.length).toBeLessThanOrEqual(6)
  // Nobody owes more than the last invoice.
  expect(late.filter(({ items }) => items.length > 1)).toEqual([])
  // A participant on the bank statement still owes the amount that it shows.
  const { rows } = await server.db.execute<{ amount: number; gross: number }>(sql`
    select l.amount::int as amount, i.gross::int as gross from bank_lines l
      join invoices i on i.company_id = l.company_id and position(i.number in l.label) > 0
     where l.company_id = ${whole} and not exists (
       select 1 from payments p where p.company_id = i.company_id and p.source like 'demo:%' || i.id)`)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.amount).toBe(Math.ceil((rows[0]?.gross ?? 0) / 2))
})

test('filling that is interrupted and resumed ends with the same data', async () => {
  const { companyId: cut } = await makeUser(server.db)
  expect(first.runs).toBe(MONTHS + 2)
  for (const wait of [150, 500, 900]) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), wait)
    await fill(cut, ANCHOR, controller.signal).catch(() => {})
  }
  await fill(cut)
  expect(await contents(cut)).toEqual(made)
  expect(made.days).toHaveLength(first.days + 9)
})

test('a second fill changes nothing, and the next day adds one day', async () => {
  expect(await fill(whole)).toEqual({ days: 0, runs: 0 })
  expect(await contents(whole)).toEqual(made)
  expect(await fill(whole, addDays(ANCHOR, 1))).toEqual({ days: HOMES + 2, runs: 1 })
})

test('a late correction leads to a second definitive run', async () => {
  const { rows } = await server.db.execute(sql`
    select kind, stale_at is not null as stale from allocation_runs
     where company_id = ${whole} and operation_id = ${TILLEULS_ID} and starts_on = '2025-07-01' order by created_at`)
  expect(rows).toEqual([
    { kind: 'definitive', stale: true },
    { kind: 'definitive', stale: false },
  ])
})

test('closes no month with incomplete data without a signed reason, also in the audit log', async () => {
  const { rows } = await server.db.execute<{ missing: boolean; signed: boolean; told: boolean }>(sql`
    select exists (select 1 from jsonb_array_elements(r.completeness->'members') m where (m->>'missing')::int > 0) as missing,
           r.sign_off is not null as signed,
           exists (select 1 from audit_entries a where a.company_id = r.company_id and a.detail->>'runId' = r.id::text) as told
      from allocation_runs r where r.company_id = ${whole} and r.kind = 'definitive'`)
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.some(({ missing }) => missing)).toBe(true)
  for (const { missing, signed, told } of rows)
    if (missing) expect({ signed, told }).toEqual({ signed: true, told: true })
})

test('a tariff applies on every day of the demo, with a change on the 15th of a month', async () => {
  const { rows } = await server.db.execute(sql`
    select status, starts_on, rules->0->>'price' as price from tariffs
     where company_id = ${whole} and operation_id = ${TILLEULS_ID} order by starts_on`)
  expect(rows).toEqual([
    { status: 'adopted', starts_on: '2025-06-01', price: '1350' },
    { status: 'adopted', starts_on: '2025-08-15', price: '1387' },
    { status: 'draft', starts_on: '2026-01-01', price: '1551' },
  ])
  for (let from = '2025-06-01'; from < ANCHOR; from = addMonths(from, 1))
    expect(await loadPriceIssues(server.db, whole, TILLEULS_ID, { from, to: addMonths(from, 1) })).toEqual([])
})

test('sends a statement to members who pay nothing, and two prices in a month give lines of both', async () => {
  const { rows } = await server.db.execute<{ kind: string; group: string | null; prices: number[] }>(sql`
    select i.kind, g.name as "group",
           array(select distinct (l->>'price')::int from jsonb_array_elements(i.snapshot->'lines') l
                  where l->>'kind' = 'energy' order by 1) as prices
      from invoices i
      left join buyers b on b.company_id = i.company_id and b.participant_id = i.buyer_id
      left join buyer_groups g on g.company_id = b.company_id and g.id = b.group_id
     where i.company_id = ${whole} and i.snapshot->'lines' @> '[{"kind": "energy"}]' and i.corrects_id is null`)
  const told = rows.filter(({ group }) => group === 'Tarif social')
  expect(told.length).toBeGreaterThan(0)
  for (const { kind, prices } of told) expect([kind, prices]).toEqual(['statement', [0]])
  const paid = rows.filter(({ group }) => group !== 'Tarif social')
  expect(new Set(paid.map(({ kind }) => kind))).toEqual(new Set(['invoice']))
  expect(paid.some(({ prices }) => prices.length === 2)).toBe(true)
})

test('fills the demo company only', async () => {
  expect(await findDemoCompany(server.db)).toBeUndefined()
})

test('creates each seller once with a signed mandate, and nothing blocks their invoices', async () => {
  const { rows } = await server.db.execute(sql`
    select s.name, v.mode, f.media_type as paper from sellers s
      join seller_vat v on v.company_id = s.company_id and v.seller_id = s.id
      left join billing_mandates m on m.company_id = s.company_id and m.seller_id = s.id
      left join files f on f.company_id = m.company_id and f.id = m.file_id
     where s.company_id = ${whole} order by s.participant_id is null, s.name`)
  expect(rows.map(({ mode, paper }) => [mode, paper])).toEqual([
    ['exempt', 'application/pdf'],
    ['standard', null],
  ])
  const sellerIds = (await loadSellers(server.db, whole)).map(({ id }) => id)
  const { rows: people } = await server.db.execute<{ id: string }>(
    sql`select id from participants where company_id = ${whole}`,
  )
  const asked = { sellerIds, buyerIds: people.map(({ id }) => id), day: '2025-10-31', issuedOn: ANCHOR }
  expect(await loadPartyIssues(server.db, whole, asked)).toEqual([])
})
