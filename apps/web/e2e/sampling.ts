import { WIDTHS } from './fixtures.ts'

/**
 * `npm run test:all` looks at everything; `npm test` takes samples in turn (scripts/turn.json), so that the
 * same sources are held to the same ones each time, and what is left out today is looked at when the turn moves on.
 */
const whole = process.env.TEST_ALL === '1'
const TURN = Number(process.env.TEST_TURN ?? 0)

/** Whether what stands at that place of its table comes this time: one in so many. */
export const comesUp = (place: number, oneIn: number) => whole || (place + TURN) % oneIn === 0

/** All of them, or those of `few`. */
export const sample = <T>(all: readonly T[], few: (one: T, index: number) => boolean): readonly T[] =>
  whole ? all : all.filter(few)

const THIRDS = 3

/** The place at which the same thing comes up a third as often: what is chosen by both meets in all its pairs, in time. */
export const slower = (place: number) => Math.floor((place + TURN) / THIRDS) - TURN

/** The dearest rule: colours are measured on a third of the screens of the table, and in passing only when all is looked at. */
export const RULES_LEFT_OUT = whole ? [] : ['color-contrast']
export const coloursAt = (place: number) => (comesUp(slower(place), THIRDS) ? [] : RULES_LEFT_OUT)

/** The features that changed since the turn moved on; nothing where all of them are looked at. */
const touched = process.env.TEST_TOUCHED?.split(' ')

/** Whether a screen comes this time: one in three, and each whose feature changed. */
export const screenComesUp = (place: number, file: string) =>
  comesUp(place, THIRDS) || !touched || file.split('/').some((word) => touched.includes(word))

const asked = new Map<string, number>()

/** The moment of a journey at which it is looked at in passing, as a place among all of them. */
export function momentOf(journey: string): number {
  const nth = (asked.get(journey) ?? 0) + 1
  asked.set(journey, nth)
  return [...`${journey} ${nth}`].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
}

/** The widths at which the screen of that place in its table is measured: in turn, so that each width has its share. */
export const widthsFor = (place: number) => sample(WIDTHS, (_, at) => comesUp(place + at, WIDTHS.length))

/** The widths at which it is seen: a telephone's, and the other one that is measured, or a desk's. */
export function widthsSeen(place: number) {
  const measured = widthsFor(place)
  return sample(WIDTHS, (width, at) => at === 0 || measured.includes(width) || (at === 2 && measured[0] === WIDTHS[0]))
}
