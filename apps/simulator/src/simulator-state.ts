import { isDay } from '@voisol/energy/calendar'
import { z } from 'zod'
import { ANSWER_ALTERATIONS, MONTH_ALTERATIONS } from './alterations.ts'

const Day = z.string().refine(isDay, 'not a day')
const Instant = z.iso.datetime({ offset: true })
const Prm = z.string().regex(/^\d{14}$/)
const Direction = z.enum(['consumption', 'production'])
const Step = z.union([z.literal(5), z.literal(10), z.literal(15), z.literal(30), z.literal(60)])

const FAULT_KINDS = [
  ...(['q3', 'q4', 'throttled', '401', 'token-expired', '403', 'no-data', 'late', 'partial', 'duplicate'] as const),
  ...(['mixed-steps', '500', '503-html', 'timeout', 'slow', 'truncated', 'hostile', 'reset'] as const),
  ...(['403-html', 'busy', 'busy-date'] as const),
  ...MONTH_ALTERATIONS,
  ...ANSWER_ALTERATIONS,
] as const

/** Fault times use the simulator's clock. Without a path, authentication is exempt. */
export const SimulatedFault = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  prm: z.string().optional(),
  path: z.string().optional(),
  from: Instant.optional(),
  to: Instant.optional(),
  times: z.int().min(1).optional(),
  every: z.int().min(1).optional(),
  /** Duration of a slow answer, or the delay until the next allowed access. */
  seconds: z.number().min(0).optional(),
})
export const SimulatedPoint = z.strictObject({
  prm: Prm,
  direction: Direction,
  step: Step.default(15),
  from: Day,
  to: Day.nullish(),
  seed: z.union([z.string(), z.number()]).optional(),
  kva: z.number().positive().optional(),
})
const AgreementPointSetting = z.strictObject({
  prm: Prm,
  role: z.enum(['cons', 'prod']),
  startsOn: Day,
  endsOn: Day.nullable(),
})
export const SimulatedAgreement = z.strictObject({
  acc: z.string().regex(/^ACC\d{8}$/),
  name: z.string(),
  startsOn: Day,
  endsOn: Day.nullable(),
  points: z.array(AgreementPointSetting),
  key: z.enum(['default', 'equal']).default('default'),
})
/** Until: the end of an active access; otherwise the end of the fault, after which it is active again. */
export const SimulatedConsent = z.strictObject({
  prm: Prm,
  state: z.enum(['active', 'withdrawn', 'opposed', 'moved']),
  until: z.union([Day, Instant]).nullish(),
})
/** Null: the day is unknown before `from`. Otherwise its values from `from` on. */
export const DeclaredReading = z.strictObject({
  prm: Prm,
  direction: Direction,
  day: Day,
  watts: z.array(z.int().min(-1)).nullable(),
  from: Instant,
})
export const QuotaLimits = z.strictObject({ second: z.int().min(1), hour: z.int().min(1) })
export const ClockSetting = z.strictObject({ now: Instant.nullable() })

const CountedFault = SimulatedFault.extend({ seen: z.int().default(0), used: z.int().default(0) })
/** The persistent state. */
export const SimulatorState = z.object({
  /** Milliseconds by which the simulator's clock is ahead of the machine's. */
  ahead: z.number().default(0),
  /** Absent: those given at the start. */
  quotas: QuotaLimits.nullable().optional(),
  faults: z.array(CountedFault).default([]),
  points: z.array(SimulatedPoint).default([]),
  agreements: z.array(SimulatedAgreement).default([]),
  consents: z.array(SimulatedConsent).default([]),
  readings: z.array(DeclaredReading).default([]),
  tokens: z.array(z.object({ token: z.string(), client: z.string(), until: z.number() })).default([]),
  uploads: z.array(z.object({ acc: z.string(), prm: z.string(), csv: z.string(), at: z.string() })).default([]),
})
export type SimulatedFault = z.output<typeof SimulatedFault>
export type CountedFault = z.output<typeof CountedFault>
export type SimulatedPoint = z.output<typeof SimulatedPoint>
export type SimulatedAgreement = z.output<typeof SimulatedAgreement>
export type SimulatedConsent = z.output<typeof SimulatedConsent>
export type DeclaredReading = z.output<typeof DeclaredReading>
export type SimulatorState = z.output<typeof SimulatorState>
export type Direction = z.output<typeof Direction>
