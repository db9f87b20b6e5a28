import { isDay } from '@voisol/energy/calendar'
import { z } from 'zod'
import { ANSWER_PLANTS } from './plant-answer.ts'
import { MONTH_PLANTS } from './plant-months.ts'

const Day = z.string().refine(isDay, 'not a day')
const Instant = z.iso.datetime({ offset: true })
const Prm = z.string().regex(/^\d{14}$/)
const Direction = z.enum(['consumption', 'production'])
const Step = z.union([z.literal(5), z.literal(10), z.literal(15), z.literal(30), z.literal(60)])

export const FAULTS = [
  ...(['q3', 'q4', 'throttled', '401', 'token-expired', '403', 'no-data', 'late', 'partial', 'duplicate'] as const),
  ...(['mixed-steps', '500', '503-html', 'timeout', 'slow', 'truncated', 'hostile', 'reset'] as const),
  ...(['403-html', 'busy', 'busy-date'] as const),
  ...MONTH_PLANTS,
  ...ANSWER_PLANTS,
] as const

/** Clocks of a fault are the sandbox's. Without a path it spares the sign-in. */
export const Fault = z.strictObject({
  kind: z.enum(FAULTS),
  prm: z.string().optional(),
  path: z.string().optional(),
  from: Instant.optional(),
  to: Instant.optional(),
  times: z.int().min(1).optional(),
  every: z.int().min(1).optional(),
  /** How long a slow answer takes, or how far the next access of a throttled one lies. */
  seconds: z.number().min(0).optional(),
})
export const Point = z.strictObject({
  prm: Prm,
  direction: Direction,
  step: Step.default(15),
  from: Day,
  to: Day.nullish(),
  seed: z.union([z.string(), z.number()]).optional(),
  kva: z.number().positive().optional(),
})
const Seat = z.strictObject({ prm: Prm, role: z.enum(['cons', 'prod']), startsOn: Day, endsOn: Day.nullable() })
export const Agreement = z.strictObject({
  acc: z.string().regex(/^ACC\d{8}$/),
  name: z.string(),
  startsOn: Day,
  endsOn: Day.nullable(),
  points: z.array(Seat),
  key: z.enum(['default', 'equal']).default('default'),
})
/** Until: the end of the access where it is active; else the end of the trouble, after which it is active again. */
export const Consent = z.strictObject({
  prm: Prm,
  state: z.enum(['active', 'withdrawn', 'opposed', 'moved']),
  until: z.union([Day, Instant]).nullish(),
})
/** Null: nothing is known of the day before `from`. Else the day reads so from `from` on. */
export const Reading = z.strictObject({
  prm: Prm,
  direction: Direction,
  day: Day,
  watts: z.array(z.int().min(-1)).nullable(),
  from: Instant,
})
export const Quotas = z.strictObject({ second: z.int().min(1), hour: z.int().min(1) })
export const Clock = z.strictObject({ now: Instant.nullable() })

const Counted = Fault.extend({ seen: z.int().default(0), used: z.int().default(0) })
/** All that outlives the process. */
export const Stored = z.object({
  /** Milliseconds that the sandbox's clock is ahead of the machine's. */
  ahead: z.number().default(0),
  /** Not there: those of the start. */
  quotas: Quotas.nullable().optional(),
  faults: z.array(Counted).default([]),
  points: z.array(Point).default([]),
  agreements: z.array(Agreement).default([]),
  consents: z.array(Consent).default([]),
  readings: z.array(Reading).default([]),
  tokens: z.array(z.object({ token: z.string(), client: z.string(), until: z.number() })).default([]),
  uploads: z.array(z.object({ acc: z.string(), prm: z.string(), csv: z.string(), at: z.string() })).default([]),
})
export type Fault = z.output<typeof Fault>
export type Counted = z.output<typeof Counted>
export type Point = z.output<typeof Point>
export type Agreement = z.output<typeof Agreement>
export type Consent = z.output<typeof Consent>
export type Reading = z.output<typeof Reading>
export type Stored = z.output<typeof Stored>
export type Direction = z.output<typeof Direction>
