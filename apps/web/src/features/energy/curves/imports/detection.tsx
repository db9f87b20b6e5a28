import type { CurveImport } from '@voisol/contract/curves'
import { addDays } from '@voisol/energy/calendar'
import { type ReactNode, useId } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { type Option, Select } from '../../../../components/input.tsx'
import { formatDayRange, formatLongDay } from '../../../../components/period/period-labels.ts'
import {
  DIRECTION_LABELS,
  formatPointName,
  formatPrm,
  getMeterSideLabel,
  toChoices,
} from '../../../../lib/energy-labels.ts'
import { formatNumber } from '../../../../lib/format.ts'
import {
  type CurveImportChoices,
  type DetectedFormat,
  getTimeZoneLabel,
  parseStepChoice,
  STAMP_LABELS,
  STEP_LABELS,
  TIME_ZONE_LABELS,
  UNIT_LABELS,
} from '../labels.ts'
import { usePoints } from '../queries.ts'
import { useImportChoices } from './curve-import.tsx'

type CorrectChoices = (change: CurveImportChoices) => void
const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

type DetectedFieldProps = {
  label: string
  text: string
  value: string
  options: Option[]
  /** What is still a guess is asked beside what is known, not here. */
  certain: boolean
  onChange: ((value: string) => void) | null
}

/** Told where the file says it; what the person chose can be chosen again. */
function DetectedField({ label, text, value, options, certain, onChange }: DetectedFieldProps) {
  const id = useId()
  if (!onChange)
    return (
      <ImportFact label={label} hint={!certain && <Badge tone="warning">À choisir</Badge>}>
        {certain ? text : `${text}\u00a0?`}
      </ImportFact>
    )
  return (
    <ImportFact label={<label htmlFor={id}>{label}</label>} hint={!certain && <Badge tone="warning">À choisir</Badge>}>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)} options={options} />
    </ImportFact>
  )
}

function DetectedFields({
  item,
  detected,
  correct,
}: {
  item: CurveImport
  detected: DetectedFormat
  correct: CorrectChoices
}) {
  const open = item.status === 'ready'
  const isCorrectable = (certain: boolean, chosen: unknown) => open && certain && chosen !== undefined
  const { choices: currentChoices } = item
  const { data: points } = usePoints()
  return (
    <>
      <DetectedField
        label="Unité"
        text={UNIT_LABELS[detected.unit]}
        value={detected.unit}
        options={toChoices(UNIT_LABELS)}
        certain={detected.unitCertain}
        onChange={
          isCorrectable(detected.unitCertain, currentChoices.unit)
            ? (value) => correct({ unit: parseChoice(UNIT_LABELS, value) })
            : null
        }
      />
      <DetectedField
        label="L’horodate marque"
        text={STAMP_LABELS[detected.stamp]}
        value={detected.stamp}
        options={toChoices(STAMP_LABELS)}
        certain={detected.stampCertain}
        onChange={
          isCorrectable(detected.stampCertain, currentChoices.stamp)
            ? (value) => correct({ stamp: parseChoice(STAMP_LABELS, value) })
            : null
        }
      />
      <DetectedField
        label="Fuseau horaire"
        text={getTimeZoneLabel(detected.zone)}
        value={detected.zone}
        options={toChoices(TIME_ZONE_LABELS)}
        certain={detected.zoneCertain}
        onChange={
          isCorrectable(detected.zoneCertain, currentChoices.zone)
            ? (value) => correct({ zone: parseChoice(TIME_ZONE_LABELS, value) })
            : null
        }
      />
      <DetectedField
        label="Pas de temps"
        text={formatSteps(detected.steps)}
        value={String(currentChoices.step ?? '')}
        options={toChoices(STEP_LABELS)}
        certain={detected.stepCertain}
        onChange={
          isCorrectable(detected.stepCertain, currentChoices.step)
            ? (value) => correct({ step: parseStepChoice(value) })
            : null
        }
      />
      {open && needsDirection(item, points?.items ?? []) && (
        <DetectedField
          label="Sens des courbes"
          text=""
          value={currentChoices.direction ?? ''}
          options={[{ value: '', label: 'Selon le point' }, ...toChoices(DIRECTION_LABELS)]}
          certain={currentChoices.direction !== undefined}
          onChange={(value) => correct({ direction: parseChoice(DIRECTION_LABELS, value) })}
        />
      )}
      {open && needsPoint(item) && <ImportPointChoice item={item} correct={correct} />}
    </>
  )
}

const parseChoice = <K extends string>(labels: Record<K, string>, value: string) =>
  toChoices(labels).find((one) => one.value === value)?.value

const formatSteps = (steps: number[]) =>
  steps.length > 0 ? `${steps.map((step) => formatNumber(step)).join(', ')}\u00a0minutes` : 'Non établi'
const formatClockChanges = ({ dstDays }: DetectedFormat) =>
  dstDays.length > 0 ? dstDays.map(formatLongDay).join(', ') : 'Aucun dans ce fichier'

/** What the file was found to be; what was chosen can be chosen again, and the file is read anew. */
export function DetectionSection({ item, detected }: { item: CurveImport; detected: DetectedFormat }) {
  const { correct } = useImportChoices(item)
  return (
    <section aria-labelledby={`${item.id}-detected`} className="grid gap-3">
      <h3 id={`${item.id}-detected`} className="text-body font-semibold">
        Ce que contient le fichier
      </h3>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-card bg-page p-4 sm:grid-cols-2 lg:grid-cols-4">
        <ImportFact label="Format reconnu">{detected.formatLabel}</ImportFact>
        <ImportFact label="Période">{capitalize(formatDayRange(detected.from, addDays(detected.to, -1)))}</ImportFact>
        <ImportFact label="Contenu">
          {formatNumber(detected.rows)} lignes, {formatNumber(detected.readings)} relevés
        </ImportFact>
        <DetectedFields item={item} detected={detected} correct={correct} />
        <ImportFact label="Jours de changement d’heure">{formatClockChanges(detected)}</ImportFact>
      </dl>
    </section>
  )
}

/** Their point is that of the file's name, which may be another number. */
const FORMATS_NAMED_BY_FILE = ['single', 'edf', 'customer-csv', 'customer-xlsx']

/** A curve whose file does not say whose it is, or names it by a number that is nobody's. */
const needsPoint = ({ series, choices, detected }: CurveImport) =>
  choices.prm !== undefined ||
  series.some(
    ({ prm, pointId }) => prm === '' || (pointId === null && FORMATS_NAMED_BY_FILE.includes(detected?.format ?? '')),
  )

/** A point that is known in both directions, where the file names none. */
const needsDirection = (item: CurveImport, known: { prm: string }[]) =>
  !needsPoint(item) &&
  (item.choices.direction !== undefined ||
    item.series.some((one) => one.direction === null && known.some(({ prm }) => prm === one.prm)))

type Props = { item: CurveImport; correct: (change: CurveImportChoices) => void }

/** Whose curve it is, where the file does not say it. */
function ImportPointChoice({ item: { choices }, correct }: Props) {
  const { data } = usePoints()
  const id = useId()
  const points = data?.items ?? []
  const chosen = points.find(
    (point) => point.prm === choices.prm && (choices.direction ?? point.direction) === point.direction,
  )
  const choose = (pointId: string) => {
    const point = points.find((one) => one.id === pointId)
    correct({ prm: point?.prm, direction: point?.direction })
  }
  return (
    <ImportFact
      label={<label htmlFor={id}>Point de cette courbe</label>}
      hint={!chosen && <Badge tone="warning">À choisir</Badge>}
    >
      <Select id={id} value={chosen?.id ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">Choisir un point</option>
        {points.map((point) => (
          <option key={point.id} value={point.id}>
            {formatPointName(point)} · {getMeterSideLabel(point)} · {formatPrm(point.prm)}
          </option>
        ))}
      </Select>
    </ImportFact>
  )
}

/** A thing found out about a file; `label` may be that of the control which corrects it. */
const ImportFact = ({ label, hint, children }: { label: ReactNode; hint?: ReactNode; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="flex min-h-6 flex-wrap items-center gap-x-2 text-[0.8125rem] text-ink-soft">
      {label}
      {hint}
    </dt>
    <dd className="mt-1 text-body font-medium">{children}</dd>
  </div>
)
