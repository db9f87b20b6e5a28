import { useQuery } from '@tanstack/react-query'
import { type Connection, type Connector, connections, type Shipment } from '@voisol/contract/connections'
import { useState } from 'react'
import type { z } from 'zod'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FeedTokenSecret } from './feed.tsx'
import { SettingField } from './fields.tsx'
import { KindChoice } from './kind-choice.tsx'
import { ShipmentBoxes } from './shipment-boxes.tsx'
import { ConnectionTestResult } from './tested.tsx'
import { useConnectionForm } from './use-draft.ts'
import { SCHEDULE_OPTIONS } from './words.ts'

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
