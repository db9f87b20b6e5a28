import { SETTINGS, type SettingName } from '@voisol/contract/dated-settings'
import { Day } from '@voisol/contract/primitives'
import { NewWord, type Setting, settings } from '@voisol/contract/settings'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { numberText, typedNumber } from '../../lib/typed-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { kindOf, labelOf, ratesOf } from './kinds.ts'

/** From when, and by whose word: asked of every value. */
const BY = { from: Day, source: NewWord.shape.source }
const Rates = z.object({
  ...BY,
  rates: z.array(
    z.object({
      class: z.string(),
      centsPerMwh: typedNumber({ min: 0, max: 1000, scale: 100 }),
      upToVa: z.int().nullable(),
    }),
  ),
})
/** Typed as its kind says, then what the setting itself takes. */
const oneValue = (name: SettingName) =>
  z.object({ ...BY, value: kindOf(name).schema.pipe(SETTINGS[name].value as z.ZodType<unknown, unknown>) }) // each takes any input

type Props = { setting: Setting; onDone: () => void }

function useSay({ setting, onDone }: Props) {
  const say = useAction(settings.say, [settings.list])
  return async ({ from, source, value }: { from: string; source: string; value: unknown }) => {
    const { note } = await say.run({ body: { name: setting.name, value, from, source } })
    toast({ title: 'Valeur enregistrée', description: note, variant: 'success' })
    onDone()
  }
}

const SOURCE = 'Un texte de loi et son article, une décision et sa date.'

function ValueForm(props: Props) {
  const { name, held } = props.setting
  const kind = kindOf(name)
  const save = useSay(props)
  const form = useSchemaForm(oneValue(name), {
    defaults: { value: kind.text(held.value), from: '', source: '' },
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
      <Field form={form} name="source" label="Source" hint={SOURCE} autoComplete="off" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Dire cette valeur
      </Button>
    </form>
  )
}

function RatesForm(props: Props) {
  const save = useSay(props)
  const rates = ratesOf(props.setting.held.value)
  const form = useSchemaForm(Rates, {
    defaults: {
      from: '',
      source: '',
      rates: rates.map((rate) => ({ ...rate, centsPerMwh: numberText(rate.centsPerMwh, 100) })),
    },
    save: ({ rates: value, ...said }) => save({ ...said, value }),
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
      <Field form={form} name="source" label="Source" hint={SOURCE} autoComplete="off" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Dire ces tarifs
      </Button>
    </form>
  )
}

export default function SayDialog({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const Form = setting.name === 'accise.rates' ? RatesForm : ValueForm
  return (
    <Dialog
      title={labelOf(setting.label)}
      description="La valeur s’ajoute aux précédentes, à partir de son jour. Ce qui est émis ne change pas."
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <Form setting={setting} onDone={onClose} />
    </Dialog>
  )
}
