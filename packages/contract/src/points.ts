import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  Address,
  buildPageSchema,
  Day,
  Direction,
  Id,
  IMPACT_PREVIEW_FIELDS,
  Instant,
  Latitude,
  ListQuery,
  Longitude,
  OptionalText,
  PointRef,
  Precision,
  Prm,
  SuccessReply,
  Version,
} from './primitives.ts'

export const Segment = z.enum(['C1', 'C2', 'C3', 'C4', 'C5', 'P1', 'P2', 'P3', 'P4'])

type Side = z.infer<typeof Direction>
/** Those of each side, the usual one first. */
export const SEGMENTS_BY_DIRECTION = {
  consumption: ['C5', 'C4', 'C3', 'C2', 'C1'],
  production: ['P4', 'P3', 'P2', 'P1'],
} as const satisfies Record<Side, readonly z.infer<typeof Segment>[]>

/** Where nothing is said, that of most points: low voltage, up to 36 kVA. */
export const getUsualSegment = (direction: Side) => SEGMENTS_BY_DIRECTION[direction][0]

/** C segments draw, P segments inject. */
export function getSegmentError(direction: Side, segment: string | undefined): string | null {
  if (!segment || segment.startsWith(direction === 'production' ? 'P' : 'C')) return null
  return direction === 'production'
    ? `Le segment ${segment} est celui d’un consommateur\u00a0: un producteur est en P1 à P4.`
    : `Le segment ${segment} est celui d’un producteur\u00a0: un consommateur est en C1 à C5.`
}

export const PointFields = z.object({
  label: OptionalText,
  segment: Segment,
  /** Subscribed power in volt-amperes: 9 kVA is 9 000. */
  subscribedVa: z.int().min(0).max(40_000_000).nullable(),
  peakWatts: z.int().min(0).max(100_000_000).nullable(),
  /** Degrees from north, clockwise: 180 is south. */
  azimuth: z.int().min(0).max(360).nullable(),
  tilt: z.int().min(0).max(90).nullable(),
  commissionedOn: Day.nullable(),
  pointAddress: Address,
  latitude: Latitude,
  longitude: Longitude,
})

/** One direction of a battery of the operation: what it charges, or what it releases. Said once, when it comes in. */
const storage = z.boolean()

export const Point = PointFields.extend({
  id: Id,
  precision: Precision,
  prm: z.string(),
  direction: Direction,
  storage,
  /** Who holds it today, and where it takes part. */
  participantId: Id.nullable(),
  participantName: z.string(),
  operationId: Id.nullable(),
  operationName: z.string(),
  startsOn: Day.nullable(),
  endsOn: Day.nullable(),
  receivedUntil: Instant.nullable(),
  version: z.int(),
})
export type Point = z.infer<typeof Point>

export const PointUpdate = z.strictObject({ ...PointFields.shape, version: Version })

export const Participation = z.object({
  id: Id,
  operationId: Id,
  operationName: z.string(),
  participantId: Id,
  participantName: z.string(),
  point: PointFields.extend({
    id: Id,
    prm: z.string(),
    direction: Direction,
    precision: Precision,
    storage,
    version: z.int(),
  }),
  startsOn: Day,
  endsOn: Day.nullable(),
  noticeOn: Day.nullable(),
  agreementSignedOn: Day.nullable(),
  state: z.enum(['active', 'upcoming', 'past']),
  version: z.int(),
})
export type Participation = z.infer<typeof Participation>

const participationDates = {
  startsOn: Day,
  endsOn: Day.nullable(),
  noticeOn: Day.nullable(),
  agreementSignedOn: Day.nullable(),
}

/** A point known by its PRM is taken up again; another one is added. */
export const ParticipationDraft = z.strictObject({
  operationId: Id,
  participantId: Id,
  prm: Prm,
  direction: Direction,
  /** A battery comes in with both its directions: what it charges and what it releases. */
  storage: storage.default(false),
  point: z.strictObject(PointFields.partial().shape).default({}),
  startsOn: Day,
  endsOn: Day.nullable().default(null),
  noticeOn: Day.nullable().default(null),
  agreementSignedOn: Day.nullable().default(null),
})

export const ParticipationDates = z.strictObject({ ...participationDates, version: Version })
export const ParticipationTransfer = z.strictObject({
  participantId: Id,
  on: Day,
  agreementSignedOn: Day.nullable().default(null),
})

const params = z.object({ id: Id })

export const points = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/points',
    access: { permission: 'participants.read', portal: true },
    summary: 'Lister les points de livraison',
    query: ListQuery.extend({
      size: z.coerce.number().int().min(1).max(1000).default(25),
      operationId: Id.optional(),
      participantId: Id.optional(),
      direction: Direction.optional(),
    }),
    response: buildPageSchema(Point),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/points/:id',
    access: { permission: 'participants.read', portal: true },
    summary: 'Lire un point de livraison',
    params: z.object({ id: PointRef }),
    response: Point,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/points/:id',
    access: { permission: 'participants.write' },
    summary: 'Modifier un point de livraison',
    params,
    body: PointUpdate,
    response: Point,
  }),
  /** Where somebody sees it on the map. */
  place: defineEndpoint({
    method: 'PUT',
    path: '/api/points/:id/place',
    access: { permission: 'participants.write' },
    summary: 'Placer un point de livraison sur la carte',
    params,
    body: z.strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      version: Version,
    }),
    response: Point,
  }),
}

export const participations = {
  create: defineEndpoint({
    method: 'POST',
    path: '/api/participations',
    access: { permission: 'participants.create' },
    summary: 'Faire entrer un point dans une opération',
    body: ParticipationDraft.extend(IMPACT_PREVIEW_FIELDS),
    response: Participation,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/participations/:id',
    access: { permission: 'participants.write' },
    summary: 'Modifier une participation',
    params,
    body: ParticipationDates.extend(IMPACT_PREVIEW_FIELDS),
    response: Participation,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/participations/:id',
    access: { permission: 'participants.write' },
    summary: 'Retirer une participation qui n’a jamais compté',
    params,
    query: z.object(IMPACT_PREVIEW_FIELDS),
    response: SuccessReply,
  }),
  /** Change of holder: the one leaves on the day the other comes in. */
  transfer: defineEndpoint({
    method: 'POST',
    path: '/api/participations/:id/transfer',
    access: { permission: 'participants.create' },
    summary: 'Changer le titulaire d’un point',
    params,
    body: ParticipationTransfer.extend(IMPACT_PREVIEW_FIELDS),
    response: Participation,
  }),
  bulk: defineEndpoint({
    method: 'POST',
    path: '/api/participations/bulk',
    access: { permission: 'participants.write' },
    summary: 'Dater l’entrée ou la sortie de plusieurs participants',
    body: z.strictObject({
      ids: z.array(Id).min(1).max(1000),
      change: z.enum(['entry', 'exit']),
      on: Day,
      noticeOn: Day.nullable(),
      dryRun: z.boolean(),
      ...IMPACT_PREVIEW_FIELDS,
    }),
    response: z.object({
      changed: z.int(),
      refused: z.int(),
      lines: z.array(
        z.object({ id: Id, label: z.string(), outcome: z.enum(['changed', 'refused']), message: z.string() }),
      ),
    }),
  }),
}

/** « Appartement 301, Mme Durand »: a dwelling and its holder are named together; empty where neither is known. */
export const formatDwellingName = (label: string, holder: string) =>
  [label.trim(), holder.trim()].filter((name, at, all) => name && all.indexOf(name) === at).join(', ')
