import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import type { SyncSettingsFormState } from './settings-form.ts'

type Props = { form: SyncSettingsFormState; hasKey: boolean }

const NO_KEY_HINT =
  'Celle que le distributeur vous a remise\u00a0: 64 caractères hexadécimaux. Elle ne sera plus affichée.'
const KEY_STORED_HINT =
  'Une clé est enregistrée\u00a0; elle n’est jamais affichée. Saisissez-en une autre pour la remplacer.'

/** The key that opens encrypted archives: given, replaced or forgotten, never read back. */
export const KeyField = ({ form, hasKey }: Props) => (
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
