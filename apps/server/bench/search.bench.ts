import { permissions } from '@voisol/contract/permissions'
import { sql } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../src/core/site-owner.ts'
import type { Db } from '../src/db/client.ts'
import { companies, operations } from '../src/db/schema/index.ts'
import { searchEverything } from '../src/features/admin/search/index.ts'
import type { Actor } from '../src/http/actor.ts'
import { createBench } from './bench-installation.ts'
import { findPostmaster, measureCpu, pickSize, type Spent } from './measure.ts'

const TARGET_MS = 50
const WARM = pickSize(10, 0)
const ROUNDS = pickSize(20, 1)
const MEMBERS = pickSize([100, 10_000], [3, 6])
const TEXTS = pickSize(200, 2)
const FIRST = ['Éloïse', 'Jean-Marc', 'Aïcha', 'Gaëlle', 'Noé', 'Björn', 'Inès', 'Théo', 'Zoé', 'Maëlys', 'Loïc']
const LAST = [
  'Lefèvre',
  'Martin',
  'Dùpont',
  'Garcia',
  'Nguyen',
  'Le Goff',
  'Benali',
  'Moreau',
  'Petit',
  'Roux',
  'Vasseur',
]
const ASKED = ['lefevre 4217', 'eloise', 'lefvre', 'jean marc moreua', '30000000004217', 'rue des erables', 'xylophone']

const pick = (names: string[], by: number) =>
  sql`(array[${sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  )}])[1 + (n * ${by}) % ${names.length}::int]`

/** A company of so many members, each with a point and a place in one operation. */
async function fill(db: Db, members: number): Promise<number> {
  const [company] = await db
    .insert(companies)
    .values({ name: `Mesure ${members}` })
    .returning()
  if (!company) throw new Error('no company to measure with')
  const companyId = company.id
  const [operation] = await db.insert(operations).values({ companyId, name: 'Mesure', status: 'active' }).returning()
  await db.execute(sql`
    with numbers as (select n, gen_random_uuid() as who, gen_random_uuid() as meter
                       from generate_series(1, ${members}::int) n),
    people as (
      insert into participants (company_id, id, kind, name, email, address, postal_code, city)
      select ${companyId}, who, 'person', ${pick(FIRST, 7)} || ' ' || ${pick(LAST, 13)} || ' ' || n,
             'membre' || n || '@exemple.fr', n || ' rue des Érables', '69003', 'Lyon' from numbers returning id),
    meters as (
      insert into points (company_id, id, prm, direction, segment, label, address)
      select ${companyId}, meter, lpad(n::text, 14, '30000000000000'), 'consumption', 'C5', 'Appartement ' || n,
             n || ' rue des Érables' from numbers returning id)
    insert into participations (company_id, operation_id, participant_id, point_id, starts_on)
    select ${companyId}, ${operation?.id}, who, meter, date '2025-01-01' from numbers
     where (select count(*) from people) + (select count(*) from meters) > 0`)
  return companyId
}

/** Texts of the site as long as those of a white paper: a search reads their words, not their bodies. */
const write = (db: Db) =>
  db.execute(sql`
    insert into contents (company_id, kind, slug, status, draft, live, updated_by)
    select ${SITE_OWNER_ID}, 'article', 'mesure-' || n, 'published', said, said, 'mesure'
      from generate_series(1, ${TEXTS}::int) n,
           lateral (select jsonb_build_object('title', 'Actualité ' || n, 'summary', repeat('Énergie locale, ', 12),
                    'body', (select string_agg(md5(n || ' ' || m), ' ') from generate_series(1, 600) m)) as said)`)

/** What the machine spends on one, once everything it needs is warm. */
async function spent(postmaster: number, ask: () => Promise<unknown>): Promise<Spent> {
  for (let n = 0; n < WARM; n++) await ask()
  const all = await measureCpu(postmaster, async () => {
    for (let n = 0; n < ROUNDS; n++) await ask()
  })
  return { server: all.server / ROUNDS, postgres: all.postgres / ROUNDS }
}

const total = ({ server, postgres }: Spent) => server + postgres
const times = (value: number) => value.toFixed(1).replace('.', ',')
const ms = (value: number) => `${value.toFixed(1).replace('.', ',')} ms`
const { closers, open } = createBench()
try {
  const { deps, tidy } = await open()
  const sizes: number[] = []
  await write(deps.db)
  for (const members of MEMBERS) sizes.push(await fill(deps.db, members))
  await tidy()
  const postmaster = await findPostmaster(deps.db)
  const [small = 0, large = 0] = sizes
  const actor = { kind: 'person', space: 'office', permissions, operationIds: null } as unknown as Actor // all that a search reads of it
  const trivial = total(await spent(postmaster, () => deps.db.execute(sql`select 1`)))
  console.log(`  processeur du serveur et de PostgreSQL ensemble ; « select 1 » : ${ms(trivial)}`)
  for (const q of ASKED) {
    const at = (companyId: number) => spent(postmaster, () => searchEverything(deps.db, { ...actor, companyId }, q))
    const [few, many] = [await at(small), await at(large)]
    console.log(
      `  « ${q} » parmi ${MEMBERS[1]} membres`.padEnd(48) +
        `${ms(total(many)).padStart(8)}, dont PostgreSQL ${ms(many.postgres)}  (objectif : ${TARGET_MS} ms ; ` +
        `${times(total(many) / total(few))} fois celui de ${MEMBERS[0]} membres, ${times(total(many) / trivial)} fois « select 1 »)`,
    )
  }
} finally {
  await closers.close()
}
