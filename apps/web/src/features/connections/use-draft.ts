import {
  type Connection,
  type ConnectionTest,
  type Connector,
  connections,
  NewConnection,
} from '@voisol/contract/connections'
import { useState } from 'react'
import { ApiError } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import type { ConnectionDraft, ConnectionFormState } from './fields.tsx'

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

export function useConnectionForm(
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
