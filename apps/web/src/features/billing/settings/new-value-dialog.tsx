import { SETTING_DEFINITIONS, type SettingName } from '@voisol/contract/dated-settings'
import { Day } from '@voisol/contract/primitives'
import { NewSettingValue, type Setting, settings } from '@voisol/contract/settings'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { formatNumberInput, numberInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { getLabelWithoutUnit, getSettingKind, parseAcciseRates } from './setting-kinds.ts'

/** From when, and by whose word: asked of every value. */
const PROVENANCE_FIELDS = { from: Day, source: NewSettingValue.shape.source }
const RatesFormSchema = z.object({
  ...PROVENANCE_FIELDS,
  rates: z.array(
    z.object({
      class: z.string(),
      centsPerMwh: numberInputSchema({ min: 0, max: 1000, scale: 100 }),
      upToVa: z.int().nullable(),
    }),
  ),
})
/** Typed as its kind says, then what the setting itself takes. */
const buildValueFormSchema = (name: SettingName) =>
  z.object({
    ...PROVENANCE_FIELDS,
    value: getSettingKind(name).schema.pipe(SETTING_DEFINITIONS[name].value as z.ZodType<unknown, unknown>),
  }) // each takes any input

type Props = { setting: Setting; onDone: () => void }

function useSaveSettingValue({ setting, onDone }: Props) {
  const say = useAction(settings.say, [settings.list])
  return async ({ from, source, value }: { from: string; source: string; value: unknown }) => {
    const { note } = await say.run({ body: { name: setting.name, value, from, source } })
    toast({ title: 'Valeur enregistrée', description: note, variant: 'success' })
    onDone()
  }
}

const SOURCE_HINT = 'Un texte de loi et son article, une décision et sa date.'

function ValueForm(props: Props) {
  const { name, held: effective } = props.setting
  const kind = getSettingKind(name)
  const save = useSaveSettingValue(props)
  const form = useSchemaForm(buildValueFormSchema(name), {
    defaults: { value: kind.text(effective.value), from: '', source: '' },
    save,
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="value" label="Nouvelle valeur" hint={kind.hint} inputMode="decimal" autoComplete="off">
        {kind.control === 'line'
          ? undefined
          : (control) =>
              Array.isArray(kind.control) ? (
                <Select {...control} options={kind.control} />
              ) : (
                <Textarea {...control} rows={3} />
              )}
      </Field>
      <Field form={form} name="from" label="À partir du" type="date" />
      <Field form={form} name="source" label="Source" hint={SOURCE_HINT} autoComplete="off" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Dire cette valeur
      </Button>
    </form>
  )
}

function RatesForm(props: Props) {
  const save = useSaveSettingValue(props)
  const rates = parseAcciseRates(props.setting.held.value)
  const form = useSchemaForm(RatesFormSchema, {
    defaults: {
      from: '',
      source: '',
      rates: rates.map((rate) => ({ ...rate, centsPerMwh: formatNumberInput(rate.centsPerMwh, 100) })),
    },
    save: ({ rates: value, ...provenance }) => save({ ...provenance, value }),
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-3">
        {rates.map((rate, at) => (
          <Field
            key={rate.class}
            form={form}
            name={`rates.${at}.centsPerMwh`}
            label={`${rate.class.charAt(0).toUpperCase()}${rate.class.slice(1)}`}
            hint="En €/MWh."
            inputMode="decimal"
            autoComplete="off"
          />
        ))}
      </div>
      <Field form={form} name="from" label="À partir du" type="date" />
      <Field form={form} name="source" label="Source" hint={SOURCE_HINT} autoComplete="off" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Dire ces tarifs
      </Button>
    </form>
  )
}

export default function NewSettingValueDialog({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const Form = setting.name === 'accise.rates' ? RatesForm : ValueForm
  return (
    <Dialog
      title={getLabelWithoutUnit(setting.label)}
      description="La valeur s’ajoute aux précédentes, à partir de son jour. Ce qui est émis ne change pas."
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <Form setting={setting} onDone={onClose} />
    </Dialog>
  )
}
