import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { type Option, Select } from '../../ui/select.tsx'
import {
  BUILDING_OPTIONS,
  getNumberError,
  NUMBER_FIELDS,
  PLACE_OPTIONS,
  PROJECT_OPTIONS,
  type SimulatorFormValues,
} from './fields.ts'

type FormChange = (more: Partial<SimulatorFormValues>) => void
type NumberName = (typeof NUMBER_FIELDS)[number]

const SelectField = ({ label, value, options, onValue }: SelectFieldProps) => {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} optional>
      <Select id={id} value={value} options={options} onChange={(event) => onValue(event.target.value)} />
    </FieldFrame>
  )
}
type SelectFieldProps = { label: string; value: string; options: Option[]; onValue: (value: string) => void }

type NumberFieldProps = {
  name: NumberName
  label: string
  hint: string
  optional?: boolean
  typed: SimulatorFormValues
  change: FormChange
}

function NumberField({ name, label, hint, optional, typed, change }: NumberFieldProps) {
  const id = useId()
  const fault = getNumberError(name, typed[name])
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

type SimulatorFormProps = { typed: SimulatorFormValues; change: FormChange; onCalculate: () => void }

export function SimulatorForm({ typed, change, onCalculate }: SimulatorFormProps) {
  const choose = (more: Record<string, string>) => change(more as Partial<SimulatorFormValues>) // the options of the list are its values
  const empty = !typed.puissanceInstallee.trim() || !typed.consommationAnnuelle.trim()
  const hasError = NUMBER_FIELDS.some((name) => getNumberError(name, typed[name]))
  return (
    <form
      noValidate
      className="grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onCalculate()
      }}
    >
      <SelectField
        label="Type de projet"
        value={typed.projectType}
        options={PROJECT_OPTIONS}
        onValue={(projectType) => choose({ projectType })}
      />
      <SelectField
        label="Localisation"
        value={typed.location}
        options={PLACE_OPTIONS}
        onValue={(location) => choose({ location })}
      />
      <NumberField
        name="nbLogements"
        label="Nombre de logements"
        hint="Ou de participants."
        optional
        typed={typed}
        change={change}
      />
      <NumberField
        name="puissanceInstallee"
        label="Puissance installée"
        hint="En kWc&nbsp;; environ 1 kWc pour 5 m² de panneaux."
        typed={typed}
        change={change}
      />
      <NumberField
        name="consommationAnnuelle"
        label="Consommation annuelle"
        hint="En kWh, de tous les participants réunis."
        typed={typed}
        change={change}
      />
      <SelectField
        label="Type de bâtiment"
        value={typed.typeBatiment}
        options={BUILDING_OPTIONS}
        onValue={(typeBatiment) => choose({ typeBatiment })}
      />
      <Button type="submit" size="large" disabled={empty || hasError}>
        Calculer mon estimation
      </Button>
    </form>
  )
}
