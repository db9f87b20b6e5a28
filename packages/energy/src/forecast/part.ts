import { type CalibrationTrial, computeShifts } from './calibrate.ts'
import type { FeatureRow, FeatureShape } from './features.ts'
import { fitLinear, predictLinear } from './linear.ts'
import type { Lesson } from './rows.ts'
import { fitTrees, predictTrees } from './trees.ts'
import type { ForecastPart } from './types.ts'

const HALF_LIFE_DAYS = 365
const FOLDS = 3
const FOLD_BLOCK_DAYS = 10
/** In days: weather models change with the season, the output of a roof hardly. */
const CALIBRATION_HALF_LIFE_DAYS = { weather: 45, history: 120 }

type PartModel = Pick<ForecastPart, 'linear' | 'trees'>

/** Fits a part on some lessons, and gives its levels for other lessons that it has not seen. */
function fitPartModel(lessons: Lesson[], levels: number[], unseen: Lesson[] = []): PartModel & { told: number[][] } {
  const newest = lessons.reduce((last, { day }) => Math.max(last, day), 0)
  const y = lessons.map((lesson) => lesson.y)
  const weights = lessons.map(({ day }) => 0.5 ** ((newest - day) / HALF_LIFE_DAYS))
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
  const predictedLevels = unseen.map((_, at) => {
    return sortLevels(learnt.map(({ said }) => (base[lessons.length + at] ?? 0) + (said[at] ?? 0)))
  })
  return { linear, trees: learnt.map(({ trees }) => trees), told: predictedLevels }
}

const sortLevels = (levels: number[]) => levels.sort((a, b) => a - b)

/** Levels before calibration, in order. */
export function predictPartLevels({ linear, trees }: PartModel, { features, terms }: FeatureRow): number[] {
  const base = predictLinear(linear, terms)
  const row = [...features, base]
  return sortLevels(trees.map((level) => base + predictTrees(level, row)))
}

const getFold = ({ day }: Lesson) => Math.floor(day / FOLD_BLOCK_DAYS) % FOLDS

function buildTrials(lessons: Lesson[], levels: number[]): CalibrationTrial[] {
  const newest = lessons.reduce((last, { day }) => Math.max(last, day), 0)
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const heldOut = lessons.filter((lesson) => getFold(lesson) === fold)
    const others = lessons.filter((lesson) => getFold(lesson) !== fold)
    if (heldOut.length === 0 || others.length === 0) return []
    const { told } = fitPartModel(others, levels, heldOut)
    return heldOut.map(({ y, lead, day }, at) => ({ y, levels: told[at] ?? [], lead, age: newest - day }))
  })
}

export function fitForecastPart(
  lessons: Lesson[],
  shape: FeatureShape,
  levels: number[],
  leads: number[],
  weather: boolean,
): ForecastPart {
  const { linear, trees } = fitPartModel(lessons, levels)
  const shifts = computeShifts(
    buildTrials(lessons, levels),
    levels,
    leads,
    weather ? CALIBRATION_HALF_LIFE_DAYS.weather : CALIBRATION_HALF_LIFE_DAYS.history,
  )
  return { fields: shape.fields, lags: shape.lags, weather, linear, trees, leads, shifts }
}
