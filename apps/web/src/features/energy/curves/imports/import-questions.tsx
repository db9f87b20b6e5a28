import type { CurveImport } from '@voisol/contract/curves'
import { useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { RadioGroup } from '../../../../components/radio-group.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { formatPrm, toChoices } from '../../../../lib/energy-labels.ts'
import {
  formatCount,
  formatDateTime,
  formatEnergy,
  formatMonth,
  formatNumber,
  formatPower,
} from '../../../../lib/format.ts'
import { parseStepChoice, STAMP_LABELS, STEP_LABELS, TIME_ZONE_LABELS, UNIT_LABELS } from '../labels.ts'
import { useImportChoices } from './curve-import.tsx'

const QUESTION_TITLES: Record<QuestionSubject, string> = {
  unit: 'Dans quelle unité sont les valeurs\u00a0?',
  stamp: 'Que marque l’horodate de chaque ligne\u00a0?',
  zone: 'À quelle heure sont les horodates\u00a0?',
  step: 'Combien de temps couvre chaque ligne\u00a0?',
}
const CANDIDATE_LABELS: Record<QuestionSubject, Record<string, string>> = {
  unit: UNIT_LABELS,
  stamp: STAMP_LABELS,
  zone: TIME_ZONE_LABELS,
  step: STEP_LABELS,
}

const parseChoice = <K extends string>(labels: Record<K, string>, value: string | undefined) =>
  toChoices(labels).find((one) => one.value === value)?.value

/** What only a person can say: each way to read the file stands beside what is known of its points. */
export function ImportQuestionForm({ item }: { item: CurveImport }) {
  const { questions, known } = item.asked
  const [answers, setAnswers] = useState<QuestionAnswers>({})
  const { correct, isPending } = useImportChoices(item)
  const complete = questions.every(({ about }) => answers[about] !== undefined)
  const apply = () =>
    correct({
      ...(answers.unit && { unit: parseChoice(UNIT_LABELS, answers.unit) }),
      ...(answers.stamp && { stamp: parseChoice(STAMP_LABELS, answers.stamp) }),
      ...(answers.zone && { zone: parseChoice(TIME_ZONE_LABELS, answers.zone) }),
      ...(answers.step && { step: parseStepChoice(answers.step) }),
    })
  return (
    <section
      aria-labelledby={`${item.id}-questions`}
      className="grid gap-5 rounded-card border border-warning p-4 [&>*]:min-w-0"
    >
      <div className="grid gap-1">
        <h3 id={`${item.id}-questions`} className="text-body font-semibold">
          {questions.length > 1
            ? `${formatCount(questions.length, 'chose')} que le fichier ne dit pas`
            : 'Ce que le fichier ne dit pas'}
        </h3>
        <p className="prose-width text-body text-ink-soft">
          Rien n’est enregistré d’après une supposition. Comparez ce que donnerait chaque lecture avec ce que vous
          savez, puis choisissez.
        </p>
      </div>
      {questions.map(({ about, candidates }) => (
        <div key={about} className="grid gap-3 [&>*]:min-w-0">
          <RadioGroup
            label={QUESTION_TITLES[about]}
            value={answers[about] ?? ''}
            onChange={({ target }) => setAnswers((old) => ({ ...old, [about]: target.value }))}
            options={candidates.map((one) => ({
              value: one.value,
              label: CANDIDATE_LABELS[about][one.value] ?? one.label,
              hint: describeCandidate(one, { candidates, known }),
            }))}
          />
          {haveDifferentEnergies(candidates) && known.length > 0 && (
            <CandidateComparison about={about} candidates={candidates} known={known} />
          )}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={!complete} loading={isPending} onClick={apply}>
          Lire le fichier ainsi
        </Button>
        {!complete && <p className="text-[0.8125rem] text-ink-soft">Répondez à chaque question pour continuer.</p>}
      </div>
    </section>
  )
}

type ComparisonRow = KnownPointFacts & { id: string; at: number }

const pointColumn: Column<ComparisonRow> = {
  header: 'Point',
  cell: ({ prm: digits, label }) => (
    <span className="block min-w-40 py-1">
      <span className="tabular block font-medium whitespace-nowrap">{formatPrm(digits)}</span>
      {label && <span className="block text-[0.8125rem] text-ink-soft">{label}</span>}
    </span>
  ),
}

const knownColumn: Column<ComparisonRow> = {
  header: 'Ce que l’on en sait',
  cell: (known) => {
    const limit = formatPowerLimit(known)
    const facts = formatKnownPeriods(known)
    return (
      <span className="block min-w-60 py-1">
        {facts.map(({ label, value, days }) => (
          <span key={label} className="block">
            {label}&nbsp;: <span className="font-medium whitespace-nowrap">{value}</span> ({days})
          </span>
        ))}
        {limit && <span className="block text-[0.8125rem] text-ink-soft">Puissance du point&nbsp;: {limit}</span>}
        {facts.length === 0 && !limit && <span className="text-ink-muted">Rien encore</span>}
      </span>
    )
  },
}

const getCandidateHeader = ({ value, label }: QuestionCandidate, about: QuestionSubject) =>
  about === 'unit' ? `En ${value}` : label

/** Point by point: what each way to read the file comes to, beside what is known. */
function CandidateComparison({
  about,
  candidates,
  known,
}: {
  about: QuestionSubject
  candidates: QuestionCandidate[]
  known: KnownPointFacts[]
}) {
  const rows = known.map((one, at) => ({ ...one, id: `${one.prm} ${one.direction}`, at }))
  const columns: Column<ComparisonRow>[] = [
    pointColumn,
    knownColumn,
    ...candidates.map(
      (candidate): Column<ComparisonRow> => ({
        header: getCandidateHeader(candidate, about),
        align: 'end',
        cell: ({ at }) => {
          const own = candidate.points[at]
          return (
            <span className="grid justify-items-end gap-1 whitespace-nowrap">
              {formatEnergy(own?.energyWh ?? 0)}
              {own?.tooHigh && <Badge tone="danger">Impossible</Badge>}
            </span>
          )
        },
      }),
    ),
  ]
  return <Table label="Comparaison des lectures" rows={rows} columns={columns} />
}

type CurveImportQuestions = CurveImport['asked']
type CurveImportQuestion = CurveImportQuestions['questions'][number]
type QuestionCandidate = CurveImportQuestion['candidates'][number]
type KnownPointFacts = CurveImportQuestions['known'][number]
type QuestionSubject = CurveImportQuestion['about']
type QuestionAnswers = Partial<Record<QuestionSubject, string>>

/** Whether the ways to read the file come to different energies: only then do they help to choose. */
const haveDifferentEnergies = (candidates: QuestionCandidate[]) =>
  new Set(candidates.map(({ energyWh }) => energyWh)).size > 1

const formatPowerLimit = ({ limitWatts, direction }: KnownPointFacts) =>
  limitWatts === null ? '' : `${formatNumber(limitWatts / 1000)}\u00a0${direction === 'production' ? 'kWc' : 'kVA'}`

function describeExcess({ points }: QuestionCandidate, known: KnownPointFacts[]) {
  const beyond = points.flatMap((point, at) => (point.tooHigh ? [known[at]] : [])).filter((one) => one !== undefined)
  const [first] = beyond
  if (!first) return ''
  if (beyond.length > 1) return `dépasse la puissance de ${formatCount(beyond.length, 'point')}`
  return `dépasse la puissance ${first.direction === 'production' ? 'crête' : 'souscrite'} (${formatPowerLimit(first)})`
}

/** What one way to read the file comes to, in a line. */
function describeCandidate(
  one: QuestionCandidate,
  { candidates, known }: { candidates: QuestionCandidate[]; known: KnownPointFacts[] },
): string {
  const peak = Math.max(0, ...one.points.map(({ peakWatts }) => peakWatts))
  const parts = haveDifferentEnergies(candidates)
    ? [formatEnergy(one.energyWh), peak > 0 && `au plus ${formatPower(peak)}`, describeExcess(one, known)]
    : [one.readings > 0 && `du ${formatDateTime(one.from)} au ${formatDateTime(one.to)}`]
  const lost = one.lost > 0 && formatCount(one.lost, 'relevé sans place', 'relevés sans place')
  return [...parts, lost].filter(Boolean).join(' · ')
}

const PERIOD_LABELS: Record<KnownPointFacts['periods'][number]['kind'], string> = {
  stored: 'Déjà enregistré sur ces jours',
  'year-before': 'Mêmes jours, un an plus tôt',
  month: '',
  index: 'Index du distributeur sur ces jours',
}

/** « septembre 2026 : 343 kWh (30 jours) ». */
const formatKnownPeriods = ({ periods }: KnownPointFacts) =>
  periods.map(({ kind, from, days, energyWh }) => ({
    label: kind === 'month' ? formatMonth(from).replace(/^./, (letter) => letter.toUpperCase()) : PERIOD_LABELS[kind],
    value: formatEnergy(energyWh),
    days: formatCount(days, 'jour'),
  }))
