import { z } from 'zod'
import { ReportSpan, ReportSubject } from './report-blocks.ts'

const Cell = z.string()
const FilledFigure = z.object({
  kind: z.literal('figure'),
  source: z.string(),
  label: z.string(),
  /** As it is read; « — » where it is not known. */
  figure: Cell,
  unit: z.string(),
  note: z.string(),
})
/** `null` where nothing is known: a gap is not a zero. */
const FilledSeries = z.object({
  label: z.string(),
  tone: z.enum(['sun', 'surplus', 'night']),
  values: z.array(z.number().nullable()),
})
const FilledChart = z.object({
  kind: z.literal('chart'),
  source: z.string(),
  title: z.string(),
  shape: z.enum(['bars', 'lines', 'shares']),
  unit: z.string(),
  names: z.array(z.string()),
  series: z.array(FilledSeries),
  /** What the drawing says, in words. */
  alt: z.string(),
})
const FilledTable = z.object({
  kind: z.literal('table'),
  source: z.string(),
  title: z.string(),
  lead: z.string(),
  columns: z.array(z.object({ head: z.string(), part: z.number(), align: z.enum(['start', 'end']) })),
  rows: z.array(z.array(Cell)),
  /** The last row is a sum. */
  total: z.boolean(),
})
const FilledText = z.object({ kind: z.literal('text'), title: z.string(), text: z.string() })

export const FilledBlock = z.discriminatedUnion('kind', [FilledText, FilledFigure, FilledChart, FilledTable])
export type FilledBlock = z.infer<typeof FilledBlock>
export type FilledChart = z.infer<typeof FilledChart>
export type FilledFigure = z.infer<typeof FilledFigure>
export type FilledTable = z.infer<typeof FilledTable>

/** All that a report shows: its paper is drawn from this alone, and this is kept with it. */
export const ReportContent = z.object({
  title: z.string(),
  subject: z.object({ kind: ReportSubject, name: z.string() }),
  span: ReportSpan,
  period: z.string(),
  brand: z.object({ name: z.string(), colour: z.string(), contact: z.string() }),
  blocks: z.array(FilledBlock),
  /** What would make these figures less than whole. */
  notes: z.array(z.string()),
})
export type ReportContent = z.infer<typeof ReportContent>
