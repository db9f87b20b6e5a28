import { WIDTHS } from './fixtures.ts'

/** `npm run test:all` looks at everything; `npm test` takes samples, the same ones each time. */
const whole = process.env.TEST_ALL === '1'

/** All of them, or those of `few`. */
export const sample = <T>(all: readonly T[], few: (one: T, index: number) => boolean): readonly T[] =>
  whole ? all : all.filter(few)

/** The dearest rule: colours are measured on every other screen of the table, and in passing only when all is looked at. */
export const RULES_LEFT_OUT = whole ? [] : ['color-contrast']
export const coloursAt = (place: number) => (place % 2 === 0 ? [] : RULES_LEFT_OUT)

const THIRDS = 3
const asked = new Map<string, number>()

/** Whether the moment of a journey that is looked at in passing is measured: a third of them, the same ones each time. */
export function isMeasured(journey: string): boolean {
  const nth = (asked.get(journey) ?? 0) + 1
  asked.set(journey, nth)
  const letters = [...`${journey} ${nth}`].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  return whole || letters % THIRDS === 0
}

/** The widths at which the screen of that place in its table is measured: in turn, so that each width has its share. */
export const widthsFor = (place: number) => sample(WIDTHS, (_, at) => at === place % WIDTHS.length)
