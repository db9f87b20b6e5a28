import { useQuery } from '@tanstack/react-query'
import { type DestinationKind, type FlowRule, RuleDraft } from '@voisol/contract/flow-rules'
import { flows } from '@voisol/contract/flows'
import { useState } from 'react'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { FieldPicker, RuleConditions } from './rule-parts.tsx'
import { type RuleDryRun, RuleDryRunResult } from './rule-trial.tsx'
import { DESTINATION_LABELS } from './words.ts'

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
