import { getMissingNameIssue } from '@voisol/contract/participant-names'
import { ParticipantUpdate } from '@voisol/contract/participants'
import { getSegmentError, PointFields } from '@voisol/contract/points'
import { Address, Day, Direction, Instant, Precision, Prm, Tag } from '@voisol/contract/primitives'
import { z } from 'zod'
import {
  type ArchiveTable,
  bytes,
  COMPUTED,
  Count,
  HERE,
  ignoreColumn,
  refersTo,
  sealedIban,
  VERSIONED,
} from './columns.ts'
import { CurveStep, checkReadings, DAY_BYTES, deriveReadings, MAX_DAYS } from './readings.ts'

const participant = ParticipantUpdate.shape
const point = PointFields.shape

/** Outside of these years a day of readings is a mistake, and days without end would be computed for it. */
const isCurveDay = (day: string) => day >= '2000-01-01' && day < '2100-01-01'

export const PEOPLE: Record<string, ArchiveTable> = {
  participants: {
    label: 'Participants',
    from: {
      columns: [
        'id',
        'kind',
        'name',
        'first_name',
        'last_name',
        'siren',
        'email',
        'phone',
        'address',
        'postal_code',
        'city',
        'notes',
      ],
    },
    columns: {
      ...VERSIONED,
      kind: participant.kind,
      name: participant.name,
      first_name: participant.firstName,
      last_name: participant.lastName,
      siren: participant.siren,
      email: participant.email,
      phone: participant.phone,
      address: participant.address,
      postal_code: participant.postalCode,
      city: participant.city,
      notes: participant.notes,
      tags: z.array(Tag).max(50),
      user_id: ignoreColumn(HERE),
      iban: sealedIban('iban'),
      iban_end: ignoreColumn(COMPUTED),
      mandate_reference: z.string().max(35),
      mandate_signed_on: Day.nullable(),
      erasure_asked_on: Day.nullable(),
      erased_on: Day.nullable(),
    },
    check: (row) => (row.name === '' ? getMissingNameIssue(row.kind as 'person').message : undefined), // parsed above
  },
  points: {
    label: 'Points de livraison',
    from: {
      columns: [
        'id',
        'prm',
        'direction',
        'label',
        'segment',
        'subscribed_va',
        'peak_watts',
        'azimuth',
        'tilt',
        'commissioned_on',
        'address',
        'latitude',
        'longitude',
        'storage',
      ],
    },
    columns: {
      ...VERSIONED,
      prm: Prm,
      direction: Direction,
      label: point.label,
      segment: point.segment,
      subscribed_va: point.subscribedVa,
      peak_watts: point.peakWatts,
      azimuth: point.azimuth,
      tilt: point.tilt,
      commissioned_on: point.commissionedOn,
      address: Address,
      latitude: point.latitude,
      longitude: point.longitude,
      storage: z.boolean(),
      precision: Precision,
    },
    check: (row) =>
      row.storage ? undefined : (getSegmentError(row.direction as 'consumption', String(row.segment)) ?? undefined), // parsed above
  },
  curve_days: {
    label: 'Journées de courbe',
    from: {
      columns: ['point_id', 'day', 'step', 'watts', 'marks', 'quality'],
      set: () => ({ source: 'import', version: 1, received_at: new Date().toISOString() }),
      skip: (row) => row.superseded_at !== null,
    },
    maxRows: MAX_DAYS,
    columns: {
      point_id: refersTo('points'),
      day: Day.refine(isCurveDay, 'Une journée de 2000 à 2099 est attendue.'),
      version: Count,
      step: CurveStep,
      watts: bytes(DAY_BYTES),
      marks: bytes(DAY_BYTES).nullable(),
      quality: z.int().min(0).max(4),
      present: ignoreColumn(COMPUTED),
      expected: ignoreColumn(COMPUTED),
      energy: ignoreColumn(COMPUTED),
      peak: ignoreColumn(COMPUTED),
      source: z.enum(['import', 'enedis', 'api', 'model', 'estimate']),
      import_id: ignoreColumn(HERE),
      received_at: Instant,
      superseded_at: Instant.nullable(),
    },
    check: checkReadings,
    derive: deriveReadings,
  },
}
