import type { CurveImport } from '@voisol/contract/curves'
import { addDays } from '@voisol/energy/calendar'
import { useId } from 'react'
import { choices, DIRECTIONS } from '../../../lib/energy-labels.ts'
import { number } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { dayLabel, daysLabel } from '../../../ui/period/label.ts'
import { type Option, Select } from '../../../ui/select.tsx'
import { type Choices, CLOCKS, clockLabel, type Detected, STAMPS, STEPS, stepChoice, UNITS } from '../labels.ts'
import { usePoints } from '../use-operation.ts'
import { Fact } from './fact.tsx'
import { needsDirection, needsPoint } from './needs.ts'
import { PointChoice } from './point-choice.tsx'
import { useChoices } from './use-choices.ts'

type Correct = (change: Choices) => void
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

type CorrectableProps = {
  label: string
  text: string
  value: string
  options: Option[]
  /** What is still a guess is asked beside what is known, not here. */
  certain: boolean
  onChange: ((value: string) => void) | null
}

/** Told where the file says it; what the person chose can be chosen again. */
function Correctable({ label, text, value, options, certain, onChange }: CorrectableProps) {
  const id = useId()
  if (!onChange)
    return (
      <Fact label={label} hint={!certain && <Badge tone="warning">À choisir</Badge>}>
        {certain ? text : `${text}\u00a0?`}
      </Fact>
    )
  return (
    <Fact label={<label htmlFor={id}>{label}</label>} hint={!certain && <Badge tone="warning">À choisir</Badge>}>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)} options={options} />
    </Fact>
  )
}

function Corrections({ item, detected, correct }: { item: CurveImport; detected: Detected; correct: Correct }) {
  const open = item.status === 'ready'
  const ask = (certain: boolean, chosen: unknown) => open && certain && chosen !== undefined
  const { choices: made } = item
  const { data: points } = usePoints()
  return (
    <>
      <Correctable
        label="Unité"
        text={UNITS[detected.unit]}
        value={detected.unit}
        options={choices(UNITS)}
        certain={detected.unitCertain}
        onChange={ask(detected.unitCertain, made.unit) ? (value) => correct({ unit: found(UNITS, value) }) : null}
      />
      <Correctable
        label="L’horodate marque"
        text={STAMPS[detected.stamp]}
        value={detected.stamp}
        options={choices(STAMPS)}
        certain={detected.stampCertain}
        onChange={ask(detected.stampCertain, made.stamp) ? (value) => correct({ stamp: found(STAMPS, value) }) : null}
      />
      <Correctable
        label="Fuseau horaire"
        text={clockLabel(detected.zone)}
        value={detected.zone}
        options={choices(CLOCKS)}
        certain={detected.zoneCertain}
        onChange={ask(detected.zoneCertain, made.zone) ? (value) => correct({ zone: found(CLOCKS, value) }) : null}
      />
      <Correctable
        label="Pas de temps"
        text={stepsText(detected.steps)}
        value={String(made.step ?? '')}
        options={choices(STEPS)}
        certain={detected.stepCertain}
        onChange={ask(detected.stepCertain, made.step) ? (value) => correct({ step: stepChoice(value) }) : null}
      />
      {open && needsDirection(item, points?.items ?? []) && (
        <Correctable
          label="Sens des courbes"
          text=""
          value={made.direction ?? ''}
          options={[{ value: '', label: 'Selon le point' }, ...choices(DIRECTIONS)]}
          certain={made.direction !== undefined}
          onChange={(value) => correct({ direction: found(DIRECTIONS, value) })}
        />
      )}
      {open && needsPoint(item) && <PointChoice item={item} correct={correct} />}
    </>
  )
}

const found = <K extends string>(labels: Record<K, string>, value: string) =>
  choices(labels).find((one) => one.value === value)?.value

const stepsText = (steps: number[]) =>
  steps.length > 0 ? `${steps.map((step) => number(step)).join(', ')}\u00a0minutes` : 'Non établi'
const clocksText = ({ dstDays }: Detected) =>
  dstDays.length > 0 ? dstDays.map(dayLabel).join(', ') : 'Aucun dans ce fichier'

/** What the file was found to be; what was chosen can be chosen again, and the file is read anew. */
export function Detection({ item, detected }: { item: CurveImport; detected: Detected }) {
  const { correct } = useChoices(item)
  return (
    <section aria-labelledby={`${item.id}-detected`} className="grid gap-3">
      <h3 id={`${item.id}-detected`} className="text-body font-semibold">
        Ce que contient le fichier
      </h3>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-card bg-page p-4 sm:grid-cols-2 lg:grid-cols-4">
        <Fact label="Format reconnu">{detected.formatLabel}</Fact>
        <Fact label="Période">{capital(daysLabel(detected.from, addDays(detected.to, -1)))}</Fact>
        <Fact label="Contenu">
          {number(detected.rows)} lignes, {number(detected.readings)} relevés
        </Fact>
        <Corrections item={item} detected={detected} correct={correct} />
        <Fact label="Jours de changement d’heure">{clocksText(detected)}</Fact>
      </dl>
    </section>
  )
}
