import { SeriesType } from '@voisol/contract/enedis'
import { Day, Id, Instant } from '@voisol/contract/primitives'
import { type ArchiveTable, bytes, COMPUTED, Energy, ignoreColumn, Label, mayReferTo, refersTo } from './columns.ts'
import { CurveStep, checkReadings, DAY_BYTES, deriveReadings, MAX_DAYS } from './readings.ts'

export const DISTRIBUTOR: Record<string, ArchiveTable> = {
  distributor_energies: {
    label: 'Énergies journalières du distributeur',
    from: 'trusted',
    maxRows: MAX_DAYS,
    columns: { point_id: refersTo('points'), day: Day, wh: Energy, received_at: Instant },
  },
  distributor_indexes: {
    label: 'Index du distributeur',
    from: 'trusted',
    maxRows: MAX_DAYS,
    columns: {
      point_id: refersTo('points'),
      day: Day,
      calendar: Label,
      name: Label,
      wh: Energy,
      source: Label,
      received_at: Instant,
    },
  },
  distributor_days: {
    label: 'Journées du distributeur',
    from: 'trusted',
    maxRows: MAX_DAYS,
    columns: {
      operation_id: refersTo('operations'),
      point_id: refersTo('points'),
      day: Day,
      type: SeriesType,
      step: CurveStep,
      watts: bytes(DAY_BYTES),
      energy: ignoreColumn(COMPUTED),
      missing: ignoreColumn(COMPUTED),
      received_at: Instant,
    },
    check: checkReadings,
    derive: (row) => {
      const { energy, expected, present } = deriveReadings(row)
      return { energy, missing: expected - present }
    },
  },
  distributor_quantities: {
    label: 'Quantités du distributeur',
    from: 'trusted',
    columns: {
      id: Id,
      operation_id: mayReferTo('operations'),
      point_id: refersTo('points'),
      from_day: Day,
      to_day: Day,
      type: SeriesType,
      calendar: Label,
      name: Label,
      wh: Energy,
      source: Label,
      received_at: Instant,
      superseded_at: Instant.nullable(),
    },
  },
}
