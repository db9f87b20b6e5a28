import type { Step } from '@voisol/energy/series'

/** Per step: 0 missing, 1 raw, 2 corrected, 3 estimated, 4 doubtful. */
export type ReadingQuality = 1 | 2 | 3 | 4

/** What is known of a local day. Without marks, all known steps have the one quality. */
export type DayReadings = { step: Step; watts: Int32Array; marks: Uint8Array | null; quality: ReadingQuality }

/** What is known of a day of a point. */
export type PointDayReadings = DayReadings & { pointId: string; day: string }
