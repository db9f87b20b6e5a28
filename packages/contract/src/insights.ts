import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { INSIGHT_RULES, INSIGHT_STATES } from './insight-rules.ts'
import { BetterKeyReport, GridTariffs, JoinCandidates } from './insight-views.ts'
import { Cents } from './money.ts'
import { Day, Id, Instant, Version } from './primitives.ts'

const getKeys = <K extends string>(words: Record<K, string>) => Object.keys(words) as [K, ...K[]] // Object.keys forgets them

export const InsightRule = z.enum(getKeys(INSIGHT_RULES))
export type InsightRule = z.infer<typeof InsightRule>
export const InsightState = z.enum(getKeys(INSIGHT_STATES))
export type InsightState = z.infer<typeof InsightState>

/** The very numbers: what is drawn is what stands in the table beside it. Null where nothing is known. */
export const Evidence = z.object({
  /** What the labels are: days, hours of a day, or names. */
  axis: z.enum(['day', 'hour', 'name']),
  unit: z.string(),
  labels: z.array(z.string()),
  series: z.array(z.object({ name: z.string(), values: z.array(z.number().nullable()) })),
})
export type Evidence = z.infer<typeof Evidence>

export const Insight = z.object({
  id: Id,
  rule: InsightRule,
  state: InsightState,
  operationId: Id,
  operationName: z.string(),
  /** A point, a participant or the operation itself. */
  subject: z.object({ kind: z.enum(['point', 'participant', 'operation']), id: Id, name: z.string() }),
  from: Day,
  to: Day,
  sentence: z.string(),
  advice: z.string(),
  /** Watt-hours concerned; null where the rule counts none. */
  wh: z.number().nullable(),
  /** Null where a price is not known, or where the rule has no worth. */
  cents: Cents.nullable(),
  /** How the euros come about, or why there are none. */
  formula: z.string(),
  /** 0 to 1. */
  confidence: z.number(),
  why: z.object({ statistic: z.string(), threshold: z.string(), data: z.string() }),
  evidence: Evidence,
  reason: z.string(),
  silentUntil: Day.nullable(),
  decidedBy: z.string(),
  foundAt: Instant,
  seenAt: Instant,
  closedAt: Instant.nullable(),
  version: z.int(),
})
export type Insight = z.infer<typeof Insight>

/** When an operation was last looked at, and what would let more rules speak. */
const InsightCheck = z.object({
  operationId: Id,
  operationName: z.string(),
  lookedAt: Instant.nullable(),
  missing: z.array(z.string()),
})

export const DismissInsight = z.strictObject({
  reason: z.string().trim().min(3, 'Dites pourquoi en quelques mots.').max(500),
  version: Version,
})

const params = z.object({ id: Id })
const readAccess = { permission: 'insights.read' } as const
const writeAccess = { permission: 'insights.write' } as const

export const insights = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/insights',
    access: readAccess,
    summary: 'Lister les constats, du plus grand enjeu au plus petit',
    query: z.object({ state: InsightState.default('open'), operationId: Id.optional() }),
    response: z.object({ items: z.array(Insight), looks: z.array(InsightCheck) }),
  }),
  accept: defineEndpoint({
    method: 'POST',
    path: '/api/insights/:id/accept',
    access: writeAccess,
    summary: 'Retenir un constat',
    params,
    body: z.strictObject({ version: Version }),
    response: Insight,
  }),
  dismiss: defineEndpoint({
    method: 'POST',
    path: '/api/insights/:id/dismiss',
    access: writeAccess,
    summary: 'Écarter un constat, avec sa raison',
    params,
    body: DismissInsight,
    response: Insight,
  }),
  key: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/key-vote',
    access: readAccess,
    summary: 'Comparer la clé d’une opération à celles que l’on peut voter',
    params,
    timeout: 120,
    response: BetterKeyReport,
  }),
  keyFile: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/key-vote/file',
    access: readAccess,
    summary: 'Télécharger la feuille de vote d’une clé',
    params,
    timeout: 120,
    response: { file: 'application/pdf' },
  }),
  joins: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/joins',
    access: { permission: 'projects.read' },
    summary: 'Classer qui devrait rejoindre une opération',
    params,
    timeout: 120,
    response: JoinCandidates,
  }),
  gridTariffs: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/grid-tariffs',
    access: readAccess,
    summary: 'Comparer les formules d’acheminement de chaque consommateur',
    params,
    timeout: 120,
    response: GridTariffs,
  }),
}
