import { OptionalText } from '@voisol/contract/primitives'
import { IndexFigure, type PriceIndex, PriceIndexDraft } from '@voisol/contract/tariff-terms'
import { tariffs } from '@voisol/contract/tariffs'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { DAY_ERROR } from '../../../lib/day-input.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { getNextMonthStart } from './version-state.tsx'

const DEPENDENT_QUERIES = [tariffs.indexes, tariffs.matrix]

function useSaveIndex(index: PriceIndex | undefined) {
  const create = useAction(tariffs.createIndex, DEPENDENT_QUERIES)
  const update = useAction(tariffs.updateIndex, DEPENDENT_QUERIES)
  return (body: { name: string; source: string }) =>
    index ? update.run({ params: { id: index.id }, body: { ...body, version: index.version } }) : create.run({ body })
}

export function IndexDialog({ index, onClose }: { index?: PriceIndex; onClose: () => void }) {
  const save = useSaveIndex(index)
  const form = useSchemaForm(PriceIndexDraft, {
    defaults: { name: index?.name ?? '', source: index?.source ?? '' },
    save: async (body) => {
      await save(body)
      toast({ title: index ? 'Indice enregistré' : 'Indice ajouté', description: body.name, variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title={index ? `Modifier «\u00a0${index.name}\u00a0»` : 'Ajouter un indice'}>
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="name" label="Nom" placeholder="ILC" autoComplete="off" />
        <Field form={form} name="source" label="Publié par" placeholder="INSEE" autoComplete="off" optional />
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            {index ? 'Enregistrer l’indice' : 'Ajouter cet indice'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

const IndexValueForm = z.object({
  startsOn: z.string().pipe(z.iso.date(DAY_ERROR)),
  value: z.union([z.literal('').transform(() => null), IndexFigure]),
  source: OptionalText,
})

/** The value awaited next: the one that was announced, or the next month's. */
const getNextAwaitedDay = ({ words }: PriceIndex) =>
  words.findLast(({ holds, value }) => holds && value === null)?.startsOn ?? getNextMonthStart()

export function IndexValueDialog({ index, onClose }: { index: PriceIndex; onClose: () => void }) {
  const { run } = useAction(tariffs.sayIndex, DEPENDENT_QUERIES)
  const form = useSchemaForm(IndexValueForm, {
    defaults: { startsOn: getNextAwaitedDay(index), value: '', source: '' },
    save: async (body) => {
      await run({ params: { id: index.id }, body })
      toast({ title: body.value === null ? 'Valeur annoncée' : 'Valeur publiée', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Valeur de ${index.name}`}
      description={'Sans valeur, elle est annoncée\u00a0: les mois qui en dépendent attendent sa publication.'}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="startsOn" label="À partir du" type="date" />
          <Field form={form} name="value" label="Valeur publiée" placeholder="121,37" inputMode="decimal" optional />
        </div>
        <Field form={form} name="source" label="Source" placeholder="INSEE, publication du 19/09/2026" optional />
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer la valeur
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
