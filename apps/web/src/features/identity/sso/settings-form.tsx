import { useQuery } from '@tanstack/react-query'
import { roles } from '@voisol/contract/roles'
import { type SsoConnection, SsoSettings, sso } from '@voisol/contract/sso'
import { useId, useState } from 'react'
import { useFieldArray } from 'react-hook-form'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FieldFrame, Select, Textarea } from '../../../components/input.tsx'
import { ApiError } from '../../../lib/call.ts'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { dayInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type Props = { connection: SsoConnection; onClose: () => void }

/** As it is typed: an empty choice is none, an empty day no day. */
const SsoSettingsFormSchema = SsoSettings.omit({ version: true }).extend({
  secretExpiresOn: dayInputSchema,
  defaultRole: z.union([z.literal('').transform(() => null), SsoSettings.shape.defaultRole.unwrap()]),
})

function useRoleOptions() {
  const { data } = useQuery({ ...query(roles.list, {}), enabled: useCan()(roles.list) })
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
}

function useSsoSettingsForm({ connection, onClose }: Props) {
  const update = useAction(sso.update, [sso.list])
  return useSchemaForm(SsoSettingsFormSchema, {
    defaults: {
      name: connection.name,
      issuer: connection.issuer,
      clientId: connection.clientId,
      clientSecret: '',
      secretExpiresOn: connection.secretExpiresOn ?? '',
      entityId: connection.entityId,
      ssoUrl: connection.ssoUrl,
      certificates: connection.certificateText,
      responseSigned: connection.responseSigned,
      signsRequests: connection.signsRequests,
      groupClaim: connection.groupClaim,
      roles: connection.roles,
      defaultRole: connection.defaultRole ?? '',
    },
    save: async ({ clientSecret, ...body }) => {
      const secret = clientSecret ? { clientSecret } : {}
      await update.run({ params: { id: connection.id }, body: { ...body, ...secret, version: connection.version } })
      toast({ title: 'Connexion enregistrée', variant: 'success' })
      onClose()
    },
  })
}
type SsoSettingsFormApi = ReturnType<typeof useSsoSettingsForm>

const OidcFields = ({ form, known }: { form: SsoSettingsFormApi; known: boolean }) => (
  <>
    <Field
      form={form}
      name="issuer"
      label="Émetteur (issuer)"
      hint="Voisol lit ses réglages à cette adresse avant de l’enregistrer."
      placeholder="https://login.microsoftonline.com/…/v2.0"
      inputMode="url"
      autoComplete="off"
    />
    <Field form={form} name="clientId" label="Identifiant client" autoComplete="off" />
    <Field
      form={form}
      name="clientSecret"
      label="Secret client"
      hint={known ? 'Laissez vide pour garder celui qui est enregistré.' : 'Il est chiffré, aucun écran ne le montre.'}
      type="password"
      autoComplete="off"
      optional={known}
    />
    <Field
      form={form}
      name="secretExpiresOn"
      label="Le secret expire le"
      hint="Vous serez prévenu 30, 7 et 1 jours avant."
      type="date"
      optional
    />
  </>
)

const SamlFields = ({ form }: { form: SsoSettingsFormApi }) => (
  <>
    <MetadataImport
      onRead={({ entityId, ssoUrl, certificates }) => {
        form.setValue('entityId', entityId)
        form.setValue('ssoUrl', ssoUrl)
        form.setValue('certificates', certificates)
        form.clearErrors()
      }}
    />
    <Field form={form} name="entityId" label="Identifiant d’entité du fournisseur" autoComplete="off" />
    <Field form={form} name="ssoUrl" label="Adresse de connexion (HTTP-Redirect)" inputMode="url" autoComplete="off" />
    <Field
      form={form}
      name="certificates"
      label="Certificats de signature"
      hint="Au format PEM. Mettez le nouveau à côté de l’ancien avant qu’il n’expire."
    >
      {(control) => (
        <Textarea
          {...control}
          rows={6}
          className="max-h-56 overflow-auto font-mono text-[0.8125rem]"
          spellCheck={false}
        />
      )}
    </Field>
    <Checkbox
      label="La réponse entière est signée, en plus de l’assertion"
      hint="L’assertion l’est toujours&#160;: sans sa signature, rien n’est cru."
      {...form.register('responseSigned')}
    />
    <Checkbox
      label="Signer nos demandes"
      hint="Le certificat est dans nos métadonnées."
      {...form.register('signsRequests')}
    />
  </>
)

function RoleFields({ form }: { form: SsoSettingsFormApi }) {
  const options = useRoleOptions()
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'roles' })
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 text-body font-medium">Rôle à la première connexion</legend>
      <Field
        form={form}
        name="groupClaim"
        label="Attribut des groupes"
        hint="Le nom que lui donne votre fournisseur."
        autoComplete="off"
      />
      {fields.map(({ id }, index) => (
        <div key={id} className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
          <Field form={form} name={`roles.${index}.group`} label="Groupe" autoComplete="off" />
          <Field form={form} name={`roles.${index}.role`} label="Rôle">
            {(control) => <Select key={options.length} {...control} options={options} />}
          </Field>
          <Button variant="quiet" onClick={() => remove(index)}>
            Retirer
          </Button>
        </div>
      ))}
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start"
        onClick={() => append({ group: '', role: 'reader' })}
      >
        Ajouter un groupe
      </Button>
      <Field
        form={form}
        name="defaultRole"
        label="Sans groupe reconnu"
        hint="La première règle qui convient l’emporte."
      >
        {(control) => (
          <Select key={options.length} {...control} options={[{ value: '', label: 'Refuser l’entrée' }, ...options]} />
        )}
      </Field>
    </fieldset>
  )
}

function SsoSettingsForm({ connection, onClose }: Props) {
  const form = useSsoSettingsForm({ connection, onClose })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom" autoComplete="off" />
      {connection.kind === 'oidc' ? (
        <OidcFields form={form} known={connection.hasSecret} />
      ) : (
        <SamlFields form={form} />
      )}
      <RoleFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Vérifier et enregistrer
      </Button>
    </form>
  )
}

export default function SsoSettingsDialog(props: Props) {
  return (
    <Dialog
      title="Fournisseur d’identité"
      description={props.connection.name}
      width="wide"
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <SsoSettingsForm {...props} />
    </Dialog>
  )
}

type ImportedMetadata = { entityId: string; ssoUrl: string; certificates: string }

const isUrl = (text: string) => /^https?:\/\/\S+$/.test(text)
/** The sentence of the field where there is one: it says what to do. */
const getErrorSentence = (error: unknown) =>
  (error instanceof ApiError ? error.problem?.issues?.[0]?.message : undefined) ?? explainError(error)

/** Fills the form from what the provider says of itself, by its address or as the document; it is looked at before it is saved. */
const MetadataImport = withAccess(sso.metadata, ({ onRead }: { onRead: (read: ImportedMetadata) => void }) => {
  const id = useId()
  const read = useAction(sso.metadata, [])
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const run = async () => {
    const input = text.trim()
    setError('')
    try {
      onRead(await read.run({ body: isUrl(input) ? { url: input } : { xml: input } }))
      toast({ title: 'Métadonnées lues', description: 'Vérifiez les champs, puis enregistrez.', variant: 'success' })
    } catch (refusal) {
      setError(getErrorSentence(refusal))
    }
  }
  return (
    <div className="grid gap-3 rounded-card bg-page p-4">
      <FieldFrame
        id={id}
        label="Métadonnées du fournisseur"
        hint="Leur adresse, ou le document XML collé\u00a0: les champs ci-dessous se remplissent."
        error={error}
        optional
      >
        <Textarea
          id={id}
          rows={2}
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder="https://fournisseur.exemple.fr/metadata"
          className="max-h-40 overflow-auto font-mono text-[0.8125rem]"
          spellCheck={false}
          aria-invalid={error !== ''}
        />
      </FieldFrame>
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start"
        disabled={text.trim() === ''}
        loading={read.isPending}
        onClick={() => void run()}
      >
        Lire les métadonnées
      </Button>
    </div>
  )
})
