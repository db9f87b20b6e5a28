import type { Comparison, Condition, EventField, PickedField } from '@voisol/contract/flow-rules'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { COMPARISON_LABELS } from './words.ts'

const COMPARISON_OPTIONS = Object.entries(COMPARISON_LABELS).map(([value, label]) => ({ value, label }))
/** Several values are written one after the other, with a semicolon between. */
const splitValues = (text: string, is: Comparison) =>
  is === 'among' ? text.split(';').map((one) => one.trimStart()) : [text]

type ConditionsProps = { known: EventField[]; value: Condition[]; onChange: (next: Condition[]) => void }

/** All of them hold. */
export function RuleConditions({ known, value, onChange }: ConditionsProps) {
  const fields = known.filter(({ compared }) => compared)
  const change = (at: number, more: Partial<Condition>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...more } : one)))
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-body font-medium">Conditions (toutes doivent valoir)</legend>
      {value.map(({ field, is, values }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name, and are only added at the end
        <div key={at} className="grid gap-2 sm:grid-cols-[1fr_1fr_1fr_auto]">
          <Select
            aria-label={`Champ de la condition ${at + 1}`}
            value={field}
            options={fields.map(({ path }) => ({ value: path, label: path }))}
            onChange={({ target }) => change(at, { field: target.value })}
          />
          <Select
            aria-label={`Comparaison de la condition ${at + 1}`}
            value={is}
            options={COMPARISON_OPTIONS}
            onChange={({ target }) => change(at, { is: target.value as Comparison })} // one of the options
          />
          <Input
            aria-label={`Valeur de la condition ${at + 1}`}
            placeholder={is === 'among' ? 'a ; b ; c' : ''}
            value={values.join('; ')}
            onChange={({ target }) => change(at, { values: splitValues(target.value, is) })}
          />
          <Button variant="quiet" onClick={() => onChange(value.filter((_, index) => index !== at))}>
            Retirer
          </Button>
        </div>
      ))}
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start"
        disabled={fields.length === 0 || value.length >= 10}
        onClick={() => onChange([...value, { field: fields[0]?.path ?? '', is: 'equals', values: [''] }])}
      >
        Ajouter une condition
      </Button>
    </fieldset>
  )
}

type FieldPickerProps = { known: EventField[]; value: PickedField[]; onChange: (next: PickedField[]) => void }
const toFieldName = (path: string) => path.replaceAll('.', '_')

export const FieldPicker = ({ known, value, onChange }: FieldPickerProps) => (
  <fieldset className="grid gap-2">
    <legend className="mb-1 text-body font-medium">Champs envoyés</legend>
    <p className="text-[0.8125rem] text-ink-soft">Sans choix, tous les champs partent sous leur nom.</p>
    {known.map(({ path }) => {
      const picked = value.find(({ from }) => from === path)
      return (
        <div key={path} className="grid items-center gap-2 sm:grid-cols-2">
          <Checkbox
            label={path}
            checked={picked !== undefined}
            onChange={({ target }) =>
              onChange(
                target.checked
                  ? [...value, { from: path, to: toFieldName(path) }]
                  : value.filter(({ from }) => from !== path),
              )
            }
          />
          {picked && (
            <Input
              aria-label={`Nouveau nom de ${path}`}
              value={picked.to}
              onChange={({ target }) =>
                onChange(value.map((one) => (one.from === path ? { from: path, to: target.value } : one)))
              }
            />
          )}
        </div>
      )
    })}
  </fieldset>
)
