import type { CompareRow } from '@voisol/contract/analytics'
import type { Reply } from '@voisol/contract/endpoint'
import type { energy } from '@voisol/contract/energy'
import { co2Grams } from '@voisol/energy/metrics'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Factors, memberRows } from '../energy/energy.ts'
import type { Where } from './compare.ts'

type Row = Reply<typeof energy.members>['items'][number]
const NO_GROUP = 'Sans groupe'

const round = (wh: number) => Math.round(wh * 1000) / 1000

/** One side of a member; what passes through a battery is neither produced nor consumed. */
function lineOf(row: Row, factors: Factors): CompareRow {
  const produces = row.direction === 'production'
  const rest = round(row.total - row.local - row.pending)
  return {
    id: `${row.operationId} ${row.participantId} ${row.id}`,
    name: row.name || row.prm,
    members: null,
    produced: produces ? row.total : null,
    shared: produces ? row.local : null,
    surplus: produces ? rest : null,
    consumed: produces ? null : row.total,
    allocated: produces ? null : row.local,
    complement: produces ? null : rest,
    pending: row.pending,
    selfConsumption: produces ? row.rate : null,
    selfProduction: produces ? null : row.rate,
    valueCents: row.valueCents,
    co2Grams: co2Grams(row.local, factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
  }
}

export async function memberLines(db: Db, actor: Actor, factors: Factors, query: Where): Promise<CompareRow[]> {
  const rows = await memberRows(db, actor, query)
  return rows.filter(({ storage }) => !storage).map((row) => lineOf(row, factors))
}

const ENERGIES = ['produced', 'shared', 'surplus', 'consumed', 'allocated', 'complement'] as const
const sum = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : round(a + b))
const ratio = (part: number | null, rest: number | null) =>
  part === null || rest === null || part + rest <= 0 ? null : part / (part + rest)

/** Members by the groups they were put into; who is in two counts in both. */
export async function groupRows(db: Db, actor: Actor, factors: Factors, query: Where): Promise<CompareRow[]> {
  const rows = (await memberRows(db, actor, query)).filter(({ storage }) => !storage)
  const tags = await tagsOf(db, actor.companyId, [...new Set(rows.map(({ participantId }) => participantId))])
  const groups = new Map<string, CompareRow & { people: Set<string> }>()
  for (const row of rows)
    for (const name of tags.get(row.participantId) ?? [NO_GROUP]) {
      const line = lineOf(row, factors)
      const known = groups.get(name) ?? { ...empty(name), people: new Set<string>() }
      for (const energy of ENERGIES) known[energy] = sum(known[energy], line[energy])
      known.pending = round(known.pending + line.pending)
      known.co2Grams = sum(known.co2Grams, line.co2Grams)
      known.valueCents = known.people.size ? add(known.valueCents, line.valueCents) : line.valueCents
      known.people.add(row.participantId)
      groups.set(name, known)
    }
  return [...groups.values()].map(({ people, ...row }) => ({
    ...row,
    members: people.size,
    selfConsumption: ratio(row.shared, row.surplus),
    selfProduction: ratio(row.allocated, row.complement),
  }))
}

/** Null where one has no price, rather than a part of the value. */
const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)

const empty = (name: string): CompareRow => ({
  id: name,
  name,
  members: 0,
  produced: null,
  shared: null,
  surplus: null,
  consumed: null,
  allocated: null,
  complement: null,
  pending: 0,
  selfConsumption: null,
  selfProduction: null,
  valueCents: null,
  co2Grams: null,
})

async function tagsOf(db: Db, companyId: number, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .select({ id: participants.id, tags: participants.tags })
    .from(participants)
    .where(
      and(
        eq(participants.companyId, companyId),
        sql`${participants.id} = any(${sql.param(ids)}::uuid[])`,
        sql`cardinality(${participants.tags}) > 0`,
      ),
    )
  return new Map(rows.map(({ id, tags }) => [id, tags]))
}
