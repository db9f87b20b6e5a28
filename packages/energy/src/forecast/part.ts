import { shiftsOf, type Trial } from './calibrate.ts'
import type { Row, Shape } from './features.ts'
import { fitLinear, predictLinear } from './linear.ts'
import type { Lesson } from './rows.ts'
import { fitTrees, predictTrees } from './trees.ts'
import type { Part } from './types.ts'

const HALF_LIFE = 365
const FOLDS = 3
const BLOCK = 10
/** In days: weather models change with the season, habits of a roof hardly. */
const FRESH = { weather: 45, history: 120 }

type Core = Pick<Part, 'linear' | 'trees'>

/** What is learnt of some lessons, and the levels it gives to others that it has not seen. */
function fitCore(lessons: Lesson[], levels: number[], unseen: Lesson[] = []): Core & { told: number[][] } {
  const newest = lessons.reduce((last, { day }) => Math.max(last, day), 0)
  const y = lessons.map((lesson) => lesson.y)
  const weights = lessons.map(({ day }) => 0.5 ** ((newest - day) / HALF_LIFE))
  const linear = fitLinear(
    lessons.map(({ terms }) => terms),
    y,
    weights,
  )
  const all = [...lessons, ...unseen]
  const base = all.map(({ terms }) => predictLinear(linear, terms))
  const rest = Float64Array.from(y, (value, at) => value - (base[at] ?? 0))
  const features = all.map((lesson, at) => [...lesson.features, base[at] ?? 0])
  const learnt = fitTrees(features, rest, levels)
  const told = unseen.map((_, at) => {
    return inOrder(learnt.map(({ said }) => (base[lessons.length + at] ?? 0) + (said[at] ?? 0)))
  })
  return { linear, trees: learnt.map(({ trees }) => trees), told }
}

const inOrder = (levels: number[]) => levels.sort((a, b) => a - b)

/** Levels before calibration, in order. */
export function predictCore({ linear, trees }: Core, { features, terms }: Row): number[] {
  const base = predictLinear(linear, terms)
  const row = [...features, base]
  return inOrder(trees.map((level) => base + predictTrees(level, row)))
}

const foldOf = ({ day }: Lesson) => Math.floor(day / BLOCK) % FOLDS

function trialsOf(lessons: Lesson[], levels: number[]): Trial[] {
  const newest = lessons.reduce((last, { day }) => Math.max(last, day), 0)
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const held = lessons.filter((lesson) => foldOf(lesson) === fold)
    const others = lessons.filter((lesson) => foldOf(lesson) !== fold)
    if (held.length === 0 || others.length === 0) return []
    const { told } = fitCore(others, levels, held)
    return held.map(({ y, lead, day }, at) => ({ y, levels: told[at] ?? [], lead, age: newest - day }))
  })
}

export function fitPart(lessons: Lesson[], shape: Shape, levels: number[], leads: number[], weather: boolean): Part {
  const { linear, trees } = fitCore(lessons, levels)
  const shifts = shiftsOf(trialsOf(lessons, levels), levels, leads, weather ? FRESH.weather : FRESH.history)
  return { fields: shape.fields, lags: shape.lags, weather, linear, trees, leads, shifts }
}
