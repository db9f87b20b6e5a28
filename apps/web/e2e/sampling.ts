import { WIDTHS } from './fixtures.ts'

/**
 * `npm run test:all` looks at everything; `npm test` takes samples in turn (scripts/turn.json), so that the
 * same sources are held to the same ones each time, and what is left out today is looked at when the turn moves on.
 */
const runsEverything = process.env.TEST_ALL === '1'
const SAMPLING_TURN = Number(process.env.TEST_TURN ?? 0)

/** Whether what stands at that place of its table comes this time: one in so many. */
export const isSampled = (place: number, oneIn: number) => runsEverything || (place + SAMPLING_TURN) % oneIn === 0

/** All of them, or those of `few`. */
export const takeSample = <T>(all: readonly T[], few: (one: T, index: number) => boolean): readonly T[] =>
  runsEverything ? all : all.filter(few)

const SLOW_SAMPLING_FACTOR = 3

/** The place at which the same thing comes up a third as often: what is chosen by both meets in all its pairs, in time. */
export const slowDown = (place: number) => Math.floor((place + SAMPLING_TURN) / SLOW_SAMPLING_FACTOR) - SAMPLING_TURN

/** The dearest rule: colours are measured on a third of the screens of the table, and in passing only when all is looked at. */
export const SKIPPED_RULES = runsEverything ? [] : ['color-contrast']
export const getSkippedRules = (place: number) =>
  isSampled(slowDown(place), SLOW_SAMPLING_FACTOR) ? [] : SKIPPED_RULES

/** The features that changed since the turn moved on; nothing where all of them are looked at. */
const changedFeatures = process.env.TEST_TOUCHED?.split(' ')

/** Whether a screen comes this time: one in three, and each whose feature changed. */
export const isScreenSampled = (place: number, file: string) =>
  isSampled(place, SLOW_SAMPLING_FACTOR) ||
  !changedFeatures ||
  file.split('/').some((word) => changedFeatures.includes(word))

const momentCounts = new Map<string, number>()

/** The moment of a journey at which it is looked at in passing, as a place among all of them. */
export function getMoment(journey: string): number {
  const nth = (momentCounts.get(journey) ?? 0) + 1
  momentCounts.set(journey, nth)
  return [...`${journey} ${nth}`].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
}

/** The widths at which the screen of that place in its table is measured: in turn, so that each width has its share. */
export const getMeasuredWidths = (place: number) => takeSample(WIDTHS, (_, at) => isSampled(place + at, WIDTHS.length))

/** The widths at which it is seen: a telephone's, and the other one that is measured, or a desk's. */
export function getSeenWidths(place: number) {
  const measured = getMeasuredWidths(place)
  return takeSample(
    WIDTHS,
    (width, at) => at === 0 || measured.includes(width) || (at === 2 && measured[0] === WIDTHS[0]),
  )
}
