import type { TariffRule } from '@voisol/contract/tariff-rule'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, participants, points, priceIndexes } from '../../../db/schema/index.ts'

type ReferenceKind = 'buyer' | 'group' | 'producer' | 'index'
/** A reference of a rule that the company does not have. */
export type UnknownReference = { at: number; field: string; message: string }

const REFERENCE_LABELS: Record<ReferenceKind, string> = {
  buyer: 'un acheteur qui n’existe pas',
  group: 'un groupe qui n’existe pas',
  producer: 'un point de production qui n’existe pas',
  index: 'un indice qui n’existe pas',
}
const RULE_FIELDS: Record<ReferenceKind, string> = {
  buyer: 'buyer',
  group: 'group',
  producer: 'producer',
  index: 'index.indexId',
}

async function loadKnownIds(db: Db, companyId: number, kind: ReferenceKind, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const table = { buyer: participants, group: buyerGroups, producer: points, index: priceIndexes }[kind]
  const side = kind === 'producer' ? eq(points.direction, 'production') : undefined
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.companyId, companyId), inArray(table.id, ids), side))
  return new Set(rows.map(({ id }) => id))
}

const getReferencedId = (rule: TariffRule, kind: ReferenceKind) => (kind === 'index' ? rule.index?.indexId : rule[kind])

/** Every buyer, group, point and index named must belong to the company. */
export async function findUnknownReferences(
  db: Db,
  companyId: number,
  rules: readonly TariffRule[],
): Promise<UnknownReference[]> {
  const unknown: UnknownReference[] = []
  for (const kind of ['buyer', 'group', 'producer', 'index'] as const) {
    const ids = [...new Set(rules.flatMap((rule) => getReferencedId(rule, kind) ?? []))]
    const knownIds = await loadKnownIds(db, companyId, kind, ids)
    for (const [at, rule] of rules.entries()) {
      const id = getReferencedId(rule, kind)
      if (id !== undefined && !knownIds.has(id))
        unknown.push({ at, field: RULE_FIELDS[kind], message: `La règle ${at + 1} nomme ${REFERENCE_LABELS[kind]}.` })
    }
  }
  return unknown.sort((a, b) => a.at - b.at)
}
