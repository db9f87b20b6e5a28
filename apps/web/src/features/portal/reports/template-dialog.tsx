import {
  BLOCK_LABELS,
  getBlockSource,
  isSourceAllowed,
  REPORT_CHARTS,
  REPORT_FIGURES,
  REPORT_TABLES,
  type ReportBlock,
} from '@voisol/contract/report-blocks'
import { type ReportTemplate, reports, TemplateUpdate } from '@voisol/contract/reports'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { FieldFrame, Input, Select, Textarea } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type Props = { template: ReportTemplate; onClose: () => void }

const SOURCES_BY_KIND = { figure: REPORT_FIGURES, chart: REPORT_CHARTS, table: REPORT_TABLES }
const KIND_LABELS = { figure: 'Chiffre', chart: 'Graphique', table: 'Tableau' }
const EMPTY_TEXT_BLOCK: ReportBlock = { kind: 'text', title: '', text: '' }

/** What may be added to this report: its own sources, and words. */
function buildBlockOptions({ subject, span }: ReportTemplate): { value: string; label: string; block: ReportBlock }[] {
  const offers = Object.entries(SOURCES_BY_KIND).flatMap(([kind, sources]) =>
    Object.entries(sources)
      .filter(([, source]) => isSourceAllowed(source, subject, span))
      .map(([source, { label }]) => ({
        value: `${kind} ${source}`,
        label: `${KIND_LABELS[kind as keyof typeof SOURCES_BY_KIND]}\u00a0: ${label}`, // a key of KINDS
        block: { kind, source } as ReportBlock, // made of a key of KINDS and of one of its own
      })),
  )
  return [{ value: 'text', label: 'Texte', block: EMPTY_TEXT_BLOCK }, ...offers]
}

const moveBlock = (blocks: ReportBlock[], at: number, by: -1 | 1): ReportBlock[] => {
  const [one, other] = [blocks[at], blocks[at + by]]
  return one && other ? blocks.with(at, other).with(at + by, one) : blocks
}

function TemplateForm({ template, onClose }: Props) {
  const update = useAction(reports.updateTemplate, [reports.templates])
  const offers = buildBlockOptions(template)
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
  const setBlocks = (next: ReportBlock[]) => form.setValue('blocks', next, { shouldDirty: true })
  const add = () => setBlocks([...blocks, offers.find(({ value }) => value === offer)?.block ?? EMPTY_TEXT_BLOCK])
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5 [&>*]:min-w-0">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom du modèle" />
      <ol aria-label="Blocs du rapport, dans leur ordre" className="grid gap-2">
        {blocks.map((block, at) => (
          <ReportBlockRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place alone
            key={at}
            block={block}
            place={at + 1}
            count={blocks.length}
            onMove={(by) => setBlocks(moveBlock(blocks, at, by))}
            onRemove={() => setBlocks(blocks.toSpliced(at, 1))}
            onChange={(next) => setBlocks(blocks.with(at, next))}
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

export default function EditTemplateDialog(props: Props) {
  return (
    <Dialog
      title="Modifier le modèle"
      description="L’ordre, les textes et les blocs. Les rapports déjà établis ne changent pas."
      width="wide"
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <TemplateForm {...props} />
    </Dialog>
  )
}

type BlockRowProps = {
  block: ReportBlock
  place: number
  count: number
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onChange: (block: ReportBlock) => void
}

function TextBlockFields({
  block,
  place,
  onChange,
}: Pick<BlockRowProps, 'place' | 'onChange'> & { block: Extract<ReportBlock, { kind: 'text' }> }) {
  const id = `report-text-${place}`
  return (
    <div className="mt-3 grid gap-3">
      <FieldFrame id={`${id}-title`} label="Titre" optional>
        <Input
          id={`${id}-title`}
          value={block.title}
          maxLength={200}
          onChange={({ target }) => onChange({ ...block, title: target.value })}
        />
      </FieldFrame>
      <FieldFrame id={id} label="Texte" hint="Une ligne vide commence un paragraphe.">
        <Textarea
          id={id}
          value={block.text}
          maxLength={4000}
          onChange={({ target }) => onChange({ ...block, text: target.value })}
        />
      </FieldFrame>
    </div>
  )
}

/** A block at its place: moved and removed by buttons, its words written here. */
function ReportBlockRow({ block, place, count, onMove, onRemove, onChange }: BlockRowProps) {
  const label = getBlockSource(block)?.label ?? ((block.kind === 'text' && block.title) || 'Texte libre')
  return (
    <li className="rounded-control border border-line bg-card p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="tabular w-6 text-body text-ink-soft">{place}.</span>
        <Badge tone="neutral">{BLOCK_LABELS[block.kind]}</Badge>
        <span className="min-w-0 flex-1 basis-40 text-body font-medium">{label}</span>
        <IconButton
          label={`Monter ${label}`}
          icon={<ArrowUp aria-hidden="true" />}
          disabled={place === 1}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Descendre ${label}`}
          icon={<ArrowDown aria-hidden="true" />}
          disabled={place === count}
          onClick={() => onMove(1)}
        />
        <IconButton label={`Retirer ${label}`} icon={<Trash2 aria-hidden="true" />} onClick={onRemove} />
      </div>
      {block.kind === 'text' && <TextBlockFields block={block} place={place} onChange={onChange} />}
    </li>
  )
}
