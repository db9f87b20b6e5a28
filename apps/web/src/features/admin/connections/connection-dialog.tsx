import { useQuery } from '@tanstack/react-query'
import {
  type Connection,
  type ConnectionTest,
  type Connector,
  type ConnectorField,
  connections,
  NewConnection,
  type Shipment,
} from '@voisol/contract/connections'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { type FieldError, get } from 'react-hook-form'
import type { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { cx } from '../../../components/cx.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PasswordInput } from '../../../components/password-input.tsx'
import { ApiError } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ConnectionTestResult, FeedAddresses } from './connection-results.tsx'
import { SCHEDULE_OPTIONS } from './labels.ts'

type CreatedFeed = { token: string; dataSets: string[] }
type ConnectionFormProps = {
  connector: Connector
  shipments: z.infer<typeof Shipment>[]
  connection?: Connection
  onMade: (made: CreatedFeed) => void
  onClose: () => void
}

type ConnectionDraftState = ReturnType<typeof useConnectionForm>
const FormButtons = ({
  form,
  trial,
  keepOnHold,
  mayWait,
  isNew,
  tries,
}: ConnectionDraftState & { isNew: boolean; tries: boolean }) => (
  <div className="flex flex-wrap justify-end gap-2">
    {tries && (
      <Button variant="secondary" loading={trial.busy} onClick={() => void trial.run()}>
        Essayer
      </Button>
    )}
    {mayWait && (
      <Button variant="secondary" disabled={form.formState.isSubmitting} onClick={keepOnHold}>
        Enregistrer en pause
      </Button>
    )}
    <Button type="submit" loading={form.formState.isSubmitting}>
      {isNew ? 'Ajouter la connexion' : 'Enregistrer la connexion'}
    </Button>
  </div>
)

function ConnectionForm({ connector, shipments, connection, onMade, onClose }: ConnectionFormProps) {
  const showToken = (token: string, settings: Record<string, string>) =>
    onMade({ token, dataSets: (settings.dataSets ?? '').split(',') })
  const drafted = useConnectionForm(connector, connection, { onMade: showToken, onClose })
  const { form, trial } = drafted
  const delivers = connector.can.includes('deliver')
  // What a token opens is said once: its sets are no longer a setting.
  const fields = connection && connector.can.includes('feed') ? [] : connector.fields
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom" autoComplete="off" />
      {fields.map((field) => (
        <SettingField
          key={field.name}
          form={form}
          field={field}
          held={connection?.held.includes(field.name) ?? false}
        />
      ))}
      {delivers && <ShipmentBoxes form={form} offered={shipments} />}
      {delivers && (
        <Field form={form} name="schedule" label="Horaire" hint="À l’heure de Paris.">
          {(control) => <Select {...control} options={SCHEDULE_OPTIONS} />}
        </Field>
      )}
      {trial.tested && <ConnectionTestResult tested={trial.tested} />}
      <FormButtons {...drafted} isNew={!connection} tries={!connector.can.includes('feed')} />
    </form>
  )
}

function ConnectionFormBody({
  connection,
  kind,
  onKind,
  ...ends
}: Omit<ConnectionFormProps, 'connector' | 'shipments'> & { kind: string; onKind: (kind: string) => void }) {
  const { data, error, refetch } = useQuery(query(connections.kinds, {}))
  const isAllowed = useCan()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const connector = data.kinds.find((one) => one.kind === kind)
  if (connector)
    return (
      <ConnectionForm key={kind} connector={connector} shipments={data.shipments} connection={connection} {...ends} />
    )
  // The token of a feed is a key of the API: whoever may not make one is not led to a refusal.
  const offered = data.kinds.filter(({ can }) => !can.includes('feed') || isAllowed('api-keys.write'))
  return <KindChoice kinds={offered} onChoose={onKind} />
}

type Props = { connection?: Connection; onClose: () => void }

/** The one time the token is seen. */
const FeedTokenSecret = ({ token, dataSets, onDone }: { token: string; dataSets: string[]; onDone: () => void }) => (
  <div className="grid gap-5 [&>*]:min-w-0">
    <p role="status" className="rounded-card bg-warning-soft p-4 text-body text-warning">
      Copiez ce jeton maintenant&nbsp;: il ne sera plus montré. Il n’ouvre que les jeux de données choisis.
    </p>
    <CodePanel label="Jeton du flux" code={token} language="text" copy="Copier le jeton" />
    <FeedAddresses dataSets={dataSets} />
    <Button className="justify-self-end" onClick={onDone}>
      J’ai copié le jeton
    </Button>
  </div>
)

/** Adds a connection of a chosen kind, or changes one. */
export default function ConnectionDialog({ connection, onClose }: Props) {
  const [kind, setKind] = useState(connection?.kind ?? '')
  const [made, setMade] = useState<CreatedFeed>()
  const title = connection ? `Modifier «\u00a0${connection.name}\u00a0»` : 'Ajouter une connexion'
  return (
    <Dialog
      title={made ? 'Flux créé' : title}
      description={made ? undefined : 'Elle est essayée avant d’être enregistrée. Ses réglages sont chiffrés.'}
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {made ? (
        <FeedTokenSecret {...made} onDone={onClose} />
      ) : (
        <ConnectionFormBody connection={connection} kind={kind} onKind={setKind} onMade={setMade} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** Each kind with what it is good for. */
const KindChoice = ({ kinds, onChoose }: { kinds: Connector[]; onChoose: (kind: string) => void }) => (
  <ul className="grid gap-3 sm:grid-cols-2">
    {kinds.map(({ kind, label, about }) => (
      <li key={kind} className="grid">
        <button
          type="button"
          onClick={() => onChoose(kind)}
          className={cx(
            cardClass,
            'flex items-start justify-between gap-3 p-4 text-left text-body transition-colors duration-150 hover:border-control hover:bg-page',
          )}
        >
          <span>
            <span className="block font-semibold">{label}</span>
            <span className="mt-1 block text-ink-soft">{about}</span>
          </span>
          <ChevronRight aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-soft" />
        </button>
      </li>
    ))}
  </ul>
)

type OfferedShipments = z.infer<typeof Shipment>[]
const UNREADABLE_HINT = 'Vous ne pouvez pas le lire\u00a0: décochez-le pour enregistrer.'

/** What leaves by this connection. What somebody else chose and its reader may not read is named, not hidden. */
function ShipmentBoxes({ form, offered }: { form: ConnectionFormState; offered: OfferedShipments }) {
  const chosen = form.watch('shipments') ?? []
  const foreign = (form.formState.defaultValues?.shipments ?? []).flatMap((id) =>
    id && !offered.some((one) => one.id === id) ? [{ id, label: id, about: UNREADABLE_HINT }] : [],
  )
  const problem: FieldError | undefined = get(form.formState.errors, 'shipments')
  return (
    <fieldset className="grid gap-x-8 gap-y-2.5 sm:grid-cols-2">
      <legend className="mb-2 text-body font-medium">Ce qui est envoyé</legend>
      {[...offered, ...foreign].map(({ id, label, about }) => (
        <Checkbox
          key={id}
          label={label}
          hint={about}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            form.setValue('shipments', target.checked ? [...chosen, id] : chosen.filter((one) => one !== id), {
              shouldDirty: true,
            })
          }
        />
      ))}
      {problem && <p className="text-[0.8125rem] text-danger">{problem.message}</p>}
    </fieldset>
  )
}

const CONNECTION_DEPENDENT_QUERIES = [connections.list]

const getFormDefaults = ({ kind, label, fields, can }: Connector, connection?: Connection): ConnectionDraft => ({
  kind,
  name: connection?.name ?? label,
  settings: Object.fromEntries(
    fields.map(({ name, initial }) => [name, connection ? (connection.settings[name] ?? '') : initial]),
  ),
  schedule: connection?.schedule ?? (can.includes('deliver') ? 'night' : 'none'),
  shipments: connection?.shipments ?? [],
  anyway: false,
})

/** Goes there with what is written, before anything is kept; a refusal is put on its field. */
function useConnectionTest(form: ConnectionFormState, kind: string, id?: string) {
  const check = useAction(connections.check, [])
  const [tested, setTested] = useState<ConnectionTest>()
  const run = async () => {
    setTested(undefined)
    form.clearErrors()
    try {
      setTested(await check.run({ body: { kind, settings: form.getValues('settings'), ...(id && { id }) } }))
    } catch (error) {
      const issues = error instanceof ApiError ? (error.problem?.issues ?? []) : []
      for (const [at, { path, message }] of issues.entries())
        form.setError(path as 'settings', { message }, { shouldFocus: at === 0 }) // a field of the same form
      if (issues.length === 0) form.setError('root', { message: explainError(error) })
    }
  }
  return { tested, setTested, run, busy: check.isPending }
}

/** The server says when what does not answer may still be kept, on hold. */
const isTestFailure = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'trial-failed'

type ConnectionFormCallbacks = {
  onMade: (token: string, settings: ConnectionDraft['settings']) => void
  onClose: () => void
}

function useConnectionForm(
  connector: Connector,
  connection: Connection | undefined,
  { onMade, onClose }: ConnectionFormCallbacks,
) {
  const create = useAction(connections.create, CONNECTION_DEPENDENT_QUERIES)
  const update = useAction(connections.update, CONNECTION_DEPENDENT_QUERIES)
  const save = async (draft: Required<ConnectionDraft>) => {
    const { kind: _, ...body } = draft
    const made = connection
      ? {
          ...(await update.run({ params: { id: connection.id }, body: { ...body, version: connection.version } })),
          token: null,
        }
      : await create.run({ body: draft })
    if (made.token) return onMade(made.token, draft.settings)
    toast({
      title: made.state === 'active' ? 'Connexion enregistrée' : 'Connexion enregistrée, en pause',
      variant: 'success',
    })
    onClose()
  }
  const form = useSchemaForm(NewConnection, {
    defaults: getFormDefaults(connector, connection),
    save: (draft) =>
      save(draft).catch((error: unknown) => {
        form.setValue('anyway', false)
        if (!isTestFailure(error)) throw error
        // Beside the buttons, where one decides what to do about it.
        trial.setTested({ ok: false, message: error.detail, facts: [], hostKey: '' })
      }),
  })
  const trial = useConnectionTest(form, connector.kind, connection?.id)
  const keepOnHold = () => {
    form.setValue('anyway', true)
    void form.submit()
  }
  return { form, trial, keepOnHold, mayWait: trial.tested?.ok === false }
}

type ConnectionDraft = z.input<typeof NewConnection>
type ConnectionFormState = ReturnType<typeof useSchemaForm<typeof NewConnection>>
type FieldsProps = { form: ConnectionFormState; field: ConnectorField }

const SECRET_STORED_HINT = 'Enregistré\u00a0: laissez vide pour le garder.'
const isLongText = ({ type }: ConnectorField) => type === 'long' || type === 'long-secret'
const isSecret = ({ type }: ConnectorField) => type === 'secret' || type === 'long-secret'

function ChoiceBoxes({ form, field: { name, label, hint, options } }: FieldsProps) {
  const path = `settings.${name}` as const
  const chosen = (form.watch(path) ?? '').split(',').filter(Boolean)
  const problem: FieldError | undefined = get(form.formState.errors, path)
  const toggle = (value: string, on: boolean) =>
    // In the order in which they are offered.
    form.setValue(
      path,
      options
        .map((option) => option.value)
        .filter((one) => (one === value ? on : chosen.includes(one)))
        .join(','),
      { shouldDirty: true },
    )
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-body font-medium">{label}</legend>
      {hint && <p className="text-[0.8125rem] text-ink-soft">{hint}</p>}
      {options.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={chosen.includes(option.value)}
          onChange={({ target }) => toggle(option.value, target.checked)}
        />
      ))}
      {problem && <p className="text-[0.8125rem] text-danger">{problem.message}</p>}
    </fieldset>
  )
}

/** One setting of a connector, drawn as its own table describes it; `held` is a secret that is kept and never shown. */
function SettingField({ form, field, held }: FieldsProps & { held: boolean }) {
  if (field.type === 'choices') return <ChoiceBoxes form={form} field={field} />
  const hint = held ? [field.hint, SECRET_STORED_HINT].filter(Boolean).join(' ') : field.hint
  const about = { form, label: field.label, hint, optional: field.optional } as const
  const path = `settings.${field.name}` as const
  if (field.type === 'choice')
    return (
      <Field {...about} name={path}>
        {(control) => <Select {...control} options={field.options} />}
      </Field>
    )
  if (isLongText(field))
    return (
      <Field {...about} name={path}>
        {(control) => <Textarea {...control} spellCheck={false} autoComplete="off" />}
      </Field>
    )
  if (isSecret(field))
    return (
      <Field {...about} name={path}>
        {(control) => <PasswordInput {...control} autoComplete="off" what={field.label.toLowerCase()} />}
      </Field>
    )
  return <Field {...about} name={path} autoComplete="off" inputMode={field.type === 'number' ? 'numeric' : undefined} />
}
