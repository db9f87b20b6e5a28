import { z } from 'zod'
import { CallLimits } from './api-keys.ts'
import { defineEndpoint } from './endpoint.ts'
import { CompanyId, Id, Instant } from './primitives.ts'

/** The last hour by minutes, day by hours, thirty days by days, year by months. */
export const GatewayPeriod = z.enum(['hour', 'day', 'month', 'year'])
export type GatewayPeriod = z.infer<typeof GatewayPeriod>

/** Why a call was not let in. */
export const BLOCK_REASONS = {
  forbidden: 'Droit manquant',
  'key-revoked': 'Clé révoquée',
  'key-expired': 'Clé terminée',
  'key-address': 'Adresse non acceptée',
  'key-rate': 'Trop d’appels par seconde (clé)',
  'key-quota': 'Quota du mois atteint (clé)',
  'company-rate': 'Trop d’appels par seconde (organisation)',
  'company-quota': 'Quota du mois atteint (organisation)',
} as const
type BlockReason = keyof typeof BLOCK_REASONS
const Reason = z.enum(Object.keys(BLOCK_REASONS) as [BlockReason, ...BlockReason[]]) // keys of a literal

const Milliseconds = z.number().nullable()
/** Those that were refused are among the calls and the errors, and not among the durations. */
export const CallSums = z.object({
  calls: z.int(),
  /** Answered 4xx. */
  errors: z.int(),
  /** Answered 5xx. */
  failures: z.int(),
  blocked: z.int(),
  bytesIn: z.int(),
  bytesOut: z.int(),
  p50: Milliseconds,
  p95: Milliseconds,
  p99: Milliseconds,
})
export type CallSums = z.infer<typeof CallSums>
const Named = CallSums.extend({ id: z.string(), label: z.string() })
export type NamedSums = z.infer<typeof Named>
const Point = z.object({ at: Instant, calls: z.int(), errors: z.int(), failures: z.int(), blocked: z.int() })
const Blocked = z.object({
  id: z.string(),
  who: z.string(),
  kind: z.enum(['key', 'person']),
  reason: Reason,
  route: z.string(),
  calls: z.int(),
  last: Instant,
})
export type BlockedCalls = z.infer<typeof Blocked>

export const GatewayQuery = z.object({
  period: GatewayPeriod.default('day'),
  keyId: Id.optional(),
  userId: Id.optional(),
  route: z.string().max(200).optional(),
})

const Overview = z.object({
  from: Instant,
  to: Instant,
  total: CallSums,
  series: z.array(Point),
  keys: z.array(Named),
  people: z.array(Named),
  routes: z.array(Named),
  blocked: z.array(Blocked),
})
export type GatewayOverview = z.infer<typeof Overview>

export const KeyCall = z.object({
  id: z.string(),
  at: Instant,
  route: z.string(),
  status: z.int(),
  milliseconds: z.number(),
  bytes: z.int(),
  ip: z.string(),
  reason: Reason.nullable(),
})
export type KeyCall = z.infer<typeof KeyCall>

const Limits = CallLimits.extend({ usedThisMonth: z.int(), version: z.int().min(0) })
export const LimitsChange = z.strictObject({ ...CallLimits.shape, version: z.int().min(0) })
const KeyUse = z.object({
  id: Id,
  name: z.string(),
  perSecond: CallLimits.shape.perSecond,
  perMonth: CallLimits.shape.perMonth,
  usedThisMonth: z.int(),
})

export const gateway = {
  overview: defineEndpoint({
    method: 'GET',
    path: '/api/gateway',
    access: { permission: 'gateway.read' },
    summary: 'Mesurer les appels de l’API',
    query: GatewayQuery,
    response: Overview,
  }),
  calls: defineEndpoint({
    method: 'GET',
    path: '/api/gateway/keys/:id/calls',
    access: { permission: 'gateway.read' },
    summary: 'Lister les derniers appels d’une clé',
    params: z.object({ id: Id }),
    response: z.object({ name: z.string(), items: z.array(KeyCall) }),
  }),
  limits: defineEndpoint({
    method: 'GET',
    path: '/api/gateway/limits',
    access: { permission: 'gateway.read' },
    summary: 'Lire les limites d’appels',
    response: z.object({ company: Limits, keys: z.array(KeyUse) }),
  }),
  setLimits: defineEndpoint({
    method: 'PUT',
    path: '/api/gateway/limits',
    access: { permission: 'gateway.write' },
    summary: 'Limiter les appels de l’organisation',
    body: LimitsChange,
    response: Limits,
  }),
  installation: defineEndpoint({
    method: 'GET',
    path: '/api/gateway/installation',
    access: { permission: 'installation.read' },
    summary: 'Mesurer les appels de toutes les organisations',
    query: GatewayQuery.pick({ period: true }),
    response: z.object({
      from: Instant,
      to: Instant,
      total: CallSums,
      series: z.array(Point),
      companies: z.array(Named.extend({ companyId: CompanyId })),
      routes: z.array(Named),
    }),
  }),
}
