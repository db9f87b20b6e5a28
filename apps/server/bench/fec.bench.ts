import { sql } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import { companies, sellers } from '../src/db/schema/index.ts'
import { exportFec } from '../src/features/accounting/books/index.ts'
import { createBench } from './bench-installation.ts'
import { pickSize } from './measure.ts'

const TARGET_MS = 5_000
const LINES = pickSize([10_000, 100_000], [4, 8])
const PER_ENTRY = 4

/** Books of a year: sales of four lines each, one entry after the other through the days. */
async function fill(db: Db, lines: number) {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  if (!company) throw new Error('no company to measure with')
  const companyId = company.id
  const about = { name: 'Toit', prefix: `T${lines}`, siren: '552081317' }
  const [seller] = await db
    .insert(sellers)
    .values({ companyId, ...about })
    .returning()
  if (!seller) throw new Error('no seller to measure with')
  const count = lines / PER_ENTRY
  await db.execute(sql`
    with entry as (
      insert into book_entries (company_id, seller_id, source, journal, journal_code, journal_label, year_from, number,
             day, piece_ref, piece_day, label, validated_on)
      select ${companyId}, ${seller.id}, 'invoice:' || n, 'sales', 'VE', 'Ventes', date '2026-01-01', n,
             date '2026-01-01' + (n * 364 / ${count}::int), 'F-' || n, date '2026-01-01', 'Facture F-' || n, date '2027-01-12'
        from generate_series(1, ${count}::int) n returning id, number)
    insert into book_lines (company_id, entry_id, position, account, account_label, aux, aux_label, debit, credit, item)
    select ${companyId}, id, l.at, l.account, 'Compte', l.aux || case when l.aux = '' then '' else (number % 500)::text end, '',
           l.debit, l.credit, case when l.aux = '' then '' else 'i' || number end
      from entry, (values (0, '411000', 'C', 1213, 0), (1, '701000', '', 0, 980), (2, '447000', '', 0, 31),
                          (3, '445712000', '', 0, 202)) as l (at, account, aux, debit, credit)`)
  return { companyId, id: seller.id, name: 'Toit', siren: '552081317' }
}

async function timed(db: Db, entity: Awaited<ReturnType<typeof fill>>) {
  const [from, used] = [performance.now(), process.cpuUsage()]
  let bytes = 0
  for await (const part of (await exportFec(db, entity, 2026, 'utf-8')).content) bytes += Buffer.byteLength(part)
  const { user, system } = process.cpuUsage(used)
  return { time: performance.now() - from, effort: (user + system) / 1000, bytes }
}

const { closers, open } = createBench()
try {
  const { deps, tidy } = await open()
  const times: number[] = []
  for (const lines of LINES) {
    const entity = await fill(deps.db, lines)
    await tidy()
    const { time, effort, bytes } = await timed(deps.db, entity)
    times.push(time)
    const megabytes = (bytes / 1e6).toFixed(1).replace('.', ',')
    console.log(
      `  FEC de ${lines} lignes, ${megabytes} Mo : ${Math.round(time)} ms, dont ${Math.round(effort)} ms de processeur (objectif : ${TARGET_MS} ms pour 100 000)`,
    )
  }
  const [small = 1, large = 0] = times
  console.log(`  dix fois les lignes : ${(large / small).toFixed(1).replace('.', ',')} fois le temps`)
} finally {
  await closers.close()
}
