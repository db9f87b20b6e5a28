import { CHARTS, FIGURES, fits, type ReportBlock, TABLES } from '@voisol/contract/report-blocks'
import { type ReportTemplate, reports, TemplateUpdate } from '@voisol/contract/reports'
import { useState } from 'react'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { BlockRow } from './block-row.tsx'

type Props = { template: ReportTemplate; onClose: () => void }

const KINDS = { figure: FIGURES, chart: CHARTS, table: TABLES }
const WORDS = { figure: 'Chiffre', chart: 'Graphique', table: 'Tableau' }
const TEXT: ReportBlock = { kind: 'text', title: '', text: '' }

/** What may be added to this report: its own sources, and words. */
function offersOf({ subject, span }: ReportTemplate): { value: string; label: string; block: ReportBlock }[] {
  const offers = Object.entries(KINDS).flatMap(([kind, sources]) =>
    Object.entries(sources)
      .filter(([, source]) => fits(source, subject, span))
      .map(([source, { label }]) => ({
        value: `${kind} ${source}`,
        label: `${WORDS[kind as keyof typeof KINDS]}\u00a0: ${label}`, // a key of KINDS
        block: { kind, source } as ReportBlock, // made of a key of KINDS and of one of its own
      })),
  )
  return [{ value: 'text', label: 'Texte', block: TEXT }, ...offers]
}

const moved = (blocks: ReportBlock[], at: number, by: -1 | 1): ReportBlock[] => {
  const [one, other] = [blocks[at], blocks[at + by]]
  return one && other ? blocks.with(at, other).with(at + by, one) : blocks
}

function Form({ template, onClose }: Props) {
  const update = useAction(reports.updateTemplate, [reports.templates])
  const offers = offersOf(template)
  const [offer, setOffer] = useState('text')
  const form = useSchemaForm(TemplateUpdate, {
    defaults: { name: template.name, blocks: template.blocks, version: template.version },
    save: async (body) => {
      await update.run({ params: { id: template.ref }, body })
      toast({ title: 'Modèle enregistré', variant: 'success' })
      onClose()
    },
  })
  const blocks = form.watch('blocks')
  const set = (next: ReportBlock[]) => form.setValue('blocks', next, { shouldDirty: true })
  const add = () => set([...blocks, offers.find(({ value }) => value === offer)?.block ?? TEXT])
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5 [&>*]:min-w-0">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom du modèle" />
      <ol aria-label="Blocs du rapport, dans leur ordre" className="grid gap-2">
        {blocks.map((block, at) => (
          <BlockRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place alone
            key={at}
            block={block}
            place={at + 1}
            count={blocks.length}
            onMove={(by) => set(moved(blocks, at, by))}
            onRemove={() => set(blocks.toSpliced(at, 1))}
            onChange={(next) => set(blocks.with(at, next))}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <FieldFrame id="report-block" label="Bloc à ajouter">
            <Select
              id="report-block"
              value={offer}
              options={offers.map(({ value, label }) => ({ value, label }))}
              onChange={({ target }) => setOffer(target.value)}
            />
          </FieldFrame>
        </div>
        <Button variant="secondary" onClick={add}>
          Ajouter à la fin
        </Button>
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le modèle
      </Button>
    </form>
  )
}

export default function TemplateDialog(props: Props) {
  return (
    <Dialog
      title="Modifier le modèle"
      description="L’ordre, les textes et les blocs. Les rapports déjà établis ne changent pas."
      width="wide"
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <Form {...props} />
    </Dialog>
  )
}
