import { useQuery } from '@tanstack/react-query'
import {
  type Comparison,
  type Condition,
  type DestinationKind,
  type EventField,
  type FlowRule,
  type PickedField,
  RuleDraft,
  type RuleTestEvent,
} from '@voisol/contract/flow-rules'
import { flows } from '@voisol/contract/flows'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FieldFrame, Input, Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { COMPARISON_LABELS, DESTINATION_LABELS } from './labels.ts'

type Props = { rule?: FlowRule; onClose: () => void }
const DRY_RUN_EVENTS = 50

function useSaveRule(rule: FlowRule | undefined, onClose: () => void) {
  const add = useAction(flows.addRule, [flows.rules])
  const change = useAction(flows.changeRule, [flows.rules])
  return async (body: Parameters<typeof add.run>[0]['body']) => {
    if (rule) await change.run({ params: { id: rule.id }, body: { ...body, version: rule.version } })
    else await add.run({ body })
    toast({ title: 'Règle enregistrée', variant: 'success' })
    onClose()
  }
}

/** Saved once it was tried as it stands: what it would have sent is seen first. */
function RuleForm({ rule, onClose }: Props) {
  const { data, error, refetch } = useQuery(query(flows.kinds, {}))
  const tryRule = useAction(flows.tryRule, [])
  const [dryRun, setDryRun] = useState<{ of: string; result: RuleDryRun }>()
  const form = useSchemaForm(RuleDraft, {
    defaults: {
      name: rule?.name ?? '',
      event: rule?.event ?? 'invoice.issued',
      conditions: rule?.conditions ?? [],
      fields: rule?.fields ?? [],
      destination: rule?.destination ?? { kind: 'notification', id: '' },
      active: rule?.active ?? true,
    },
    save: useSaveRule(rule, onClose),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const [event, conditions, fields, destination] = form.watch(['event', 'conditions', 'fields', 'destination'])
  const eventFields = data.events.find(({ name }) => name === event)?.fields ?? []
  const shape = { event, conditions, fields }
  const isDryRunCurrent = dryRun?.of === JSON.stringify(shape)
  const runDryRun = async () => {
    try {
      const result = await tryRule.run({ body: { ...shape, last: DRY_RUN_EVENTS } })
      setDryRun({ of: JSON.stringify(shape), result })
    } catch (fault) {
      toast({ title: 'Essai impossible', description: explainError(fault), variant: 'destructive' })
    }
  }
  const chooseDestination = (value: string) => {
    const [kind = '', id = ''] = value.split(' ')
    form.setValue('destination', { kind: kind as DestinationKind, id }) // one of the options
  }
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5 [&>*]:min-w-0">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom" />
      <FieldFrame id="rule-event" label="Événement">
        <Select
          id="rule-event"
          value={event}
          options={data.events.map(({ name, label }) => ({ value: name, label: `${label} (${name})` }))}
          onChange={({ target }) => {
            form.setValue('event', target.value as typeof event) // one of the options
            form.setValue('conditions', [])
            form.setValue('fields', [])
          }}
        />
      </FieldFrame>
      <RuleConditions known={eventFields} value={conditions} onChange={(next) => form.setValue('conditions', next)} />
      <FieldPicker known={eventFields} value={fields} onChange={(next) => form.setValue('fields', next)} />
      <FieldFrame id="rule-destination" label="Destination">
        <Select
          id="rule-destination"
          value={`${destination.kind} ${destination.id}`}
          onChange={({ target }) => chooseDestination(target.value)}
        >
          <option value="notification ">Choisir…</option>
          {data.destinations.map(({ kind, id, label }) => (
            <option key={`${kind} ${id}`} value={`${kind} ${id}`}>
              {DESTINATION_LABELS[kind]}&nbsp;: {label}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <Switch
        label="Règle active"
        checked={form.watch('active')}
        onChange={({ target }) => form.setValue('active', target.checked)}
      />
      {isDryRunCurrent && dryRun && <RuleDryRunResult result={dryRun.result} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          variant={isDryRunCurrent ? 'secondary' : 'primary'}
          loading={tryRule.isPending}
          onClick={() => void runDryRun()}
        >
          Essayer sur les {DRY_RUN_EVENTS} derniers
        </Button>
        {isDryRunCurrent && (
          <Button type="submit" loading={form.formState.isSubmitting}>
            {rule ? 'Enregistrer la règle' : 'Créer la règle'}
          </Button>
        )}
      </div>
    </form>
  )
}

export default function RuleDialog({ rule, onClose }: Props) {
  return (
    <Dialog
      title={rule ? 'Modifier la règle' : 'Créer une règle'}
      description="La règle s’essaie sur des événements passés, puis s’enregistre. Rien n’est envoyé par un essai."
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <RuleForm rule={rule} onClose={onClose} />
    </Dialog>
  )
}

type RuleDryRun = { looked: number; matched: number; items: RuleTestEvent[] }
const MAX_SHOWN_EVENTS = 5

/** What the rule would have made of what happened. */
function RuleDryRunResult({ result: { looked, matched, items } }: { result: RuleDryRun }) {
  const matchingEvents = items.filter(({ matches }) => matches).slice(0, MAX_SHOWN_EVENTS)
  const otherEvents = items.filter(({ matches }) => !matches).slice(0, MAX_SHOWN_EVENTS)
  return (
    <section aria-label="Essai" className="grid gap-3 rounded-card bg-page p-4 text-body [&>*]:min-w-0">
      <p role="status" className="font-medium">
        {looked === 0
          ? 'Aucun événement de cette sorte ne s’est encore produit\u00a0: la règle attendra le premier.'
          : `${formatCount(matched, 'événement')} sur ${looked} ${matched < 2 ? 'serait parti' : 'seraient partis'}.`}
      </p>
      {matchingEvents.map(({ seq, occurredAt, payload }) => (
        <CodePanel
          key={seq}
          label={`N° ${seq}, ${formatDateTime(occurredAt)}`}
          code={JSON.stringify(payload, null, 2)}
          language="json"
        />
      ))}
      {otherEvents.length > 0 && (
        <ul className="grid gap-1 text-[0.8125rem] text-ink-soft">
          {otherEvents.map(({ seq, why }) => (
            <li key={seq}>
              N°&nbsp;{seq}&nbsp;: {why}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const COMPARISON_OPTIONS = Object.entries(COMPARISON_LABELS).map(([value, label]) => ({ value, label }))
/** Several values are written one after the other, with a semicolon between. */
const splitValues = (text: string, is: Comparison) =>
  is === 'among' ? text.split(';').map((one) => one.trimStart()) : [text]

type ConditionsProps = { known: EventField[]; value: Condition[]; onChange: (next: Condition[]) => void }

/** All of them hold. */
function RuleConditions({ known, value, onChange }: ConditionsProps) {
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

const FieldPicker = ({ known, value, onChange }: FieldPickerProps) => (
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
