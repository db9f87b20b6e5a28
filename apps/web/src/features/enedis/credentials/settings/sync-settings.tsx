import { useQuery } from '@tanstack/react-query'
import { enedis } from '@voisol/contract/enedis'
import { type SyncSettings as Settings, sync } from '@voisol/contract/sync'
import { Button } from '../../../../components/button.tsx'
import { Card, FactList } from '../../../../components/card.tsx'
import { Checkbox } from '../../../../components/checkbox.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { Select } from '../../../../components/input.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { PasswordInput } from '../../../../components/password-input.tsx'
import { Can, withAccess } from '../../../../lib/can.tsx'
import { useSchemaForm } from '../../../../lib/form.ts'
import { formatCount, formatNumber } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import {
  buildFolderOptions,
  SYNC_HOUR_OPTIONS,
  SyncSettingsForm,
  type SyncSettingsFormState,
  toSyncSettingsBody,
  toSyncSettingsForm,
} from './sync-settings-form.ts'

const DailyFields = ({ form }: { form: SyncSettingsFormState }) => (
  <fieldset className="grid content-start gap-4">
    <legend className="mb-3 font-medium">Chaque jour</legend>
    <Checkbox
      label="Demander les données tous les jours"
      hint="La veille, puis ce qui manque encore dans les jours d’avant."
      {...form.register('enabled')}
    />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="hour" label="À partir de" hint="Heure de Paris, après 8&nbsp;h.">
        {(control) => <Select {...control} options={SYNC_HOUR_OPTIONS} />}
      </Field>
      <Field
        form={form}
        name="rollingDays"
        label="Jours relus"
        hint="De 1 à 30 jours en arrière."
        inputMode="numeric"
      />
    </div>
    <Field
      form={form}
      name="toleranceWh"
      label="Tolérance du rapprochement"
      hint="En Wh par point et par mois&nbsp;: en dessous, un écart n’est qu’un arrondi, sans dépasser un demi-watt par pas."
      inputMode="numeric"
    />
  </fieldset>
)

const FileFields = ({ form, settings }: { form: SyncSettingsFormState; settings: Settings }) => (
  <fieldset className="grid content-start gap-4">
    <legend className="mb-3 font-medium">Fichiers du distributeur</legend>
    <Field
      form={form}
      name="folder"
      label="Dossier surveillé"
      hint={
        settings.folders.length
          ? 'Celui de votre organisation sur le serveur\u00a0: chaque fichier qui y est déposé est lu.'
          : 'L’exploitant du serveur n’a ouvert aucun dossier aux fichiers d’Enedis\u00a0: déposez-les à la main ou par l’API.'
      }
      optional
    >
      {(control) => <Select {...control} options={buildFolderOptions(settings)} />}
    </Field>
    <KeyField form={form} hasKey={settings.hasFileKey} />
  </fieldset>
)

function SyncSettingsEditor({ settings }: { settings: Settings }) {
  const save = useAction(sync.saveSettings, [sync.settings, enedis.overview])
  const form = useSchemaForm(SyncSettingsForm, {
    defaults: toSyncSettingsForm(settings),
    save: async (value) => {
      await save.run({ body: toSyncSettingsBody(value) })
      toast({ title: 'Réglages enregistrés', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-6">
      <FormErrors form={form} />
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <DailyFields form={form} />
        <FileFields form={form} settings={settings} />
      </div>
      <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
        Enregistrer les réglages
      </Button>
    </form>
  )
}

const SettingsFacts = ({ settings }: { settings: Settings }) => (
  <FactList
    facts={[
      { label: 'Demande quotidienne', value: settings.enabled ? `Oui, à partir de ${settings.hour}\u00a0h` : 'Non' },
      { label: 'Jours relus', value: formatCount(settings.rollingDays, 'jour') },
      { label: 'Tolérance du rapprochement', value: `${formatNumber(settings.toleranceWh)}\u00a0Wh` },
      { label: 'Dossier surveillé', value: settings.folder || 'Aucun' },
      { label: 'Clé de déchiffrement', value: settings.hasFileKey ? 'Enregistrée' : 'Aucune' },
    ]}
  />
)

export const SyncSettings = withAccess(sync.settings, () => {
  const { data, error, refetch } = useQuery(query(sync.settings, {}))
  return (
    <Card title="Synchronisation" description="Quand les données sont demandées, et où les fichiers arrivent.">
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data && (
        <Can call={sync.saveSettings} otherwise={<SettingsFacts settings={data} />}>
          <SyncSettingsEditor key={data.version} settings={data} />
        </Can>
      )}
    </Card>
  )
})

type Props = { form: SyncSettingsFormState; hasKey: boolean }

const NO_KEY_HINT =
  'Celle que le distributeur vous a remise\u00a0: 64 caractères hexadécimaux. Elle ne sera plus affichée.'
const KEY_STORED_HINT =
  'Une clé est enregistrée\u00a0; elle n’est jamais affichée. Saisissez-en une autre pour la remplacer.'

/** The key that opens encrypted archives: given, replaced or forgotten, never read back. */
const KeyField = ({ form, hasKey }: Props) => (
  <div className="grid content-start gap-2">
    <Field
      form={form}
      name="fileKey"
      label="Clé des fichiers chiffrés"
      hint={hasKey ? KEY_STORED_HINT : NO_KEY_HINT}
      optional
    >
      {(control) => <PasswordInput {...control} autoComplete="off" what="la clé" />}
    </Field>
    {hasKey && <Checkbox label="Oublier la clé enregistrée" {...form.register('forgetKey')} />}
  </div>
)
