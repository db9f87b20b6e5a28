import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { type Option, Select } from '../../ui/select.tsx'
import { BUILDINGS, faultOf, NUMBERS, PLACES, PROJECTS, type Typed } from './fields.ts'

type Change = (more: Partial<Typed>) => void
type NumberName = (typeof NUMBERS)[number]

const Choice = ({ label, value, options, onValue }: ChoiceProps) => {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} optional>
      <Select id={id} value={value} options={options} onChange={(event) => onValue(event.target.value)} />
    </FieldFrame>
  )
}
type ChoiceProps = { label: string; value: string; options: Option[]; onValue: (value: string) => void }

type AmountProps = { name: NumberName; label: string; hint: string; optional?: boolean; typed: Typed; change: Change }

function Amount({ name, label, hint, optional, typed, change }: AmountProps) {
  const id = useId()
  const fault = faultOf(name, typed[name])
  return (
    <FieldFrame id={id} label={label} hint={hint} optional={optional} error={fault}>
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={typed[name]}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-hint ${id}-error` : `${id}-hint`}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </FieldFrame>
  )
}

type SimulatorFormProps = { typed: Typed; change: Change; onCalculate: () => void }

export function SimulatorForm({ typed, change, onCalculate }: SimulatorFormProps) {
  const choose = (more: Record<string, string>) => change(more as Partial<Typed>) // the options of the list are its values
  const empty = !typed.puissanceInstallee.trim() || !typed.consommationAnnuelle.trim()
  const wrong = NUMBERS.some((name) => faultOf(name, typed[name]))
  return (
    <form
      noValidate
      className="grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onCalculate()
      }}
    >
      <Choice
        label="Type de projet"
        value={typed.projectType}
        options={PROJECTS}
        onValue={(projectType) => choose({ projectType })}
      />
      <Choice
        label="Localisation"
        value={typed.location}
        options={PLACES}
        onValue={(location) => choose({ location })}
      />
      <Amount
        name="nbLogements"
        label="Nombre de logements"
        hint="Ou de participants."
        optional
        typed={typed}
        change={change}
      />
      <Amount
        name="puissanceInstallee"
        label="Puissance installée"
        hint="En kWc&nbsp;; environ 1 kWc pour 5 m² de panneaux."
        typed={typed}
        change={change}
      />
      <Amount
        name="consommationAnnuelle"
        label="Consommation annuelle"
        hint="En kWh, de tous les participants réunis."
        typed={typed}
        change={change}
      />
      <Choice
        label="Type de bâtiment"
        value={typed.typeBatiment}
        options={BUILDINGS}
        onValue={(typeBatiment) => choose({ typeBatiment })}
      />
      <Button type="submit" size="large" disabled={empty || wrong}>
        Calculer mon estimation
      </Button>
    </form>
  )
}
