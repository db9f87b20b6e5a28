import { NewOwnToken, OWN_SCOPES, type OwnScope, ownFeed } from '@voisol/contract/own-feed'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { OWN_SCOPE_LABELS } from './words.ts'

type CreatedToken = { token: string; scopes: OwnScope[] }

/** A REST sensor of Home Assistant: kilowatt-hours of the month, looked at every hour. */
const formatHomeAssistantConfig = (origin: string, token: string) =>
  [
    'rest:',
    `  - resource: ${origin}/api/own/figures`,
    '    headers:',
    `      Authorization: "Bearer ${token}"`,
    '    scan_interval: 3600',
    '    sensor:',
    '      - name: "Énergie locale du mois"',
    '        value_template: "{{ value_json.month.localKwh }}"',
    '        unit_of_measurement: kWh',
    '        device_class: energy',
    '        state_class: total',
    '      - name: "Consommation du dernier jour"',
    '        value_template: "{{ value_json.lastDay.consumedKwh if value_json.lastDay else none }}"',
    '        unit_of_measurement: kWh',
    '        device_class: energy',
    '        state_class: total',
  ].join('\n')

/** Addresses that a spreadsheet opens by itself. */
const formatFeedUrls = (origin: string, token: string, scopes: readonly OwnScope[]) =>
  [
    scopes.includes('energy.read') && `${origin}/api/own/days?key=${token}`,
    scopes.includes('energy.read') && `${origin}/api/own/days?dialect=rfc&key=${token}`,
    scopes.includes('invoices.read') && `${origin}/api/own/invoices?key=${token}`,
  ]
    .filter(Boolean)
    .join('\n')

/** The one time the token is seen, in the words of what it is for. */
const CreatedTokenPanel = ({ token, scopes, onDone }: CreatedToken & { onDone: () => void }) => (
  <div className="grid gap-5 [&>*]:min-w-0">
    <p role="status" className="rounded-card bg-warning-soft p-4 text-body text-warning">
      Copiez ce jeton maintenant&nbsp;: il ne sera plus montré. Qui l’a lit vos chiffres&nbsp;: ne le publiez pas.
    </p>
    <CodePanel label="Jeton" code={token} language="text" copy="Copier le jeton" />
    {scopes.includes('energy.read') && (
      <CodePanel
        label="Home Assistant (configuration.yaml)"
        code={formatHomeAssistantConfig(window.location.origin, token)}
        language="text"
      />
    )}
    <CodePanel
      label="Tableur, fichier CSV par son adresse"
      code={formatFeedUrls(window.location.origin, token, scopes)}
      language="text"
    />
    <Button className="justify-self-end" onClick={onDone}>
      J’ai copié le jeton
    </Button>
  </div>
)

function NewTokenForm({ onMade }: { onMade: (made: CreatedToken) => void }) {
  const create = useAction(ownFeed.create, [ownFeed.tokens])
  const form = useSchemaForm(NewOwnToken, {
    defaults: { name: '', scopes: ['energy.read'] },
    save: async (body) => onMade(await create.run({ body })),
  })
  const chosen = form.watch('scopes')
  const problem = form.formState.errors.scopes
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field
        form={form}
        name="name"
        label="Nom"
        hint="Par exemple Home Assistant, ou le tableur de la famille."
        autoComplete="off"
      />
      <fieldset className="grid gap-2.5">
        <legend className="mb-2 text-body font-medium">Ce que le jeton ouvre</legend>
        {OWN_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={OWN_SCOPE_LABELS[scope]}
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              form.setValue('scopes', target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
            }
          />
        ))}
        {problem && <p className="text-[0.8125rem] text-danger">{problem.message}</p>}
      </fieldset>
      <div className="flex justify-end">
        <Button type="submit" loading={form.formState.isSubmitting}>
          Créer le jeton
        </Button>
      </div>
    </form>
  )
}

export default function OwnTokenDialog({ onClose }: { onClose: () => void }) {
  const [createdToken, setCreatedToken] = useState<CreatedToken>()
  return (
    <Dialog
      title={createdToken ? 'Jeton créé' : 'Créer un jeton'}
      description={
        createdToken ? undefined : 'Il lit vos propres chiffres, ne change rien, et cesse dès que vous le révoquez.'
      }
      width={createdToken ? 'wide' : undefined}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {createdToken ? (
        <CreatedTokenPanel {...createdToken} onDone={onClose} />
      ) : (
        <NewTokenForm onMade={setCreatedToken} />
      )}
    </Dialog>
  )
}
