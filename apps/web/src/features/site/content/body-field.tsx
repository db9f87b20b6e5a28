import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { content, type SiteImage } from '@voisol/contract/content'
import Bold from 'lucide-react/icons/bold'
import Hash from 'lucide-react/icons/hash'
import Heading2 from 'lucide-react/icons/heading-2'
import ImagePlus from 'lucide-react/icons/image-plus'
import Italic from 'lucide-react/icons/italic'
import Link from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import ListChecks from 'lucide-react/icons/list-checks'
import Megaphone from 'lucide-react/icons/megaphone'
import StickyNote from 'lucide-react/icons/sticky-note'
import Table from 'lucide-react/icons/table'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { IconButton } from '../../../components/icon-button.tsx'
import { controlClass } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Prose } from '../../../components/prose/prose.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ImagePicker } from './image-picker.tsx'
import type { TextEdit, TextSelection } from './markdown-edits.ts'
import * as edits from './markdown-edits.ts'
import type { ContentEditorState } from './use-content.ts'

type ApplyEdit = (edit: (selected: edits.TextSelection) => edits.TextEdit) => void

function FormattingToolbar({ run, onImage }: { run: ApplyEdit; onImage: () => void }) {
  return (
    <fieldset className="flex flex-wrap gap-0.5 rounded-t-control border border-b-0 border-control bg-page p-1">
      <legend className="sr-only">Mise en forme</legend>
      {FORMATTING_TOOLS.map((tool) => (
        <IconButton key={tool.label} label={getToolLabel(tool)} icon={<tool.icon />} onClick={() => run(tool.edit)} />
      ))}
      <IconButton label="Image" icon={<ImagePlus />} onClick={onImage} />
    </fieldset>
  )
}

function useMarkdownEditing() {
  const field = useRef<HTMLTextAreaElement | null>(null)
  const run: ApplyEdit = (edit) => field.current && editTextField(field.current, edit)
  const handleKey = (event: KeyboardEvent) => {
    const tool = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && findToolByShortcut(event.key)
    if (!tool) return
    event.preventDefault()
    event.stopPropagation() // some of these keys mean something else to the rest of the product
    run(tool.edit)
  }
  return { field, run, press: handleKey }
}

/** The text in Markdown, beside what readers will see of it. */
export function BodyField({ writing: { form, kind } }: { writing: ContentEditorState }) {
  const id = useId()
  const { field, run, press } = useMarkdownEditing()
  const [choosing, setChoosing] = useState(false)
  const { ref, ...control } = form.register('body')
  const insert = ({ src }: SiteImage) => {
    setChoosing(false)
    // The dialog gives focus back first: the words to type over must stay selected.
    setTimeout(() => run(edits.insertImageMarkup(src)), 50)
  }
  return (
    <Card title={kind === 'faq' ? 'Réponse complète' : 'Texte'}>
      <div className="grid gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <div className="grid content-start">
          <label htmlFor={id} className="mb-1.5 text-body font-medium">
            <span data-label="">Texte en Markdown</span>
          </label>
          <FormattingToolbar run={run} onImage={() => setChoosing(true)} />
          <textarea
            {...control}
            ref={(element) => {
              field.current = element
              ref(element)
            }}
            id={id}
            onKeyDown={press}
            spellCheck
            className={cx(
              controlClass,
              'h-[65dvh] min-h-80 resize-y rounded-t-none p-3 font-mono text-[0.8125rem] leading-relaxed',
            )}
          />
        </div>
        <BodyPreview form={form} />
      </div>
      {choosing && <ImagePicker onChoose={insert} onClose={() => setChoosing(false)} />}
    </Card>
  )
}

/** Changes a text field as typing would: the browser can undo it, and the form hears of it. */
function editTextField(field: HTMLTextAreaElement, edit: (selected: TextSelection) => TextEdit) {
  const { value: text, selectionStart: start, selectionEnd: end } = field
  const { from, to, insert, select } = edit({ text, start, end })
  field.focus()
  field.setSelectionRange(from, to)
  // The only way into the field's own undo; where a browser has given it up, the text is set and the form told.
  if (!document.execCommand('insertText', false, insert)) {
    field.setRangeText(insert, from, to)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.setSelectionRange(...select)
}

type FormattingTool = {
  label: string
  icon: typeof Bold
  edit: (selected: edits.TextSelection) => edits.TextEdit
  /** With Ctrl, or Cmd. */
  key?: string
}

const FORMATTING_TOOLS: FormattingTool[] = [
  { label: 'Titre', icon: Heading2, edit: edits.prefixLines('## ', 'Titre de la partie'), key: 'h' },
  { label: 'Gras', icon: Bold, edit: edits.wrapSelection('**', 'texte en gras'), key: 'b' },
  { label: 'Italique', icon: Italic, edit: edits.wrapSelection('*', 'texte en italique'), key: 'i' },
  { label: 'Lien', icon: Link, edit: edits.insertLink, key: 'k' },
  { label: 'Liste', icon: List, edit: edits.prefixLines('- ', 'premier élément'), key: 'l' },
  { label: 'Tableau', icon: Table, edit: edits.insertBlock(edits.TABLE_TEMPLATE, 'Colonne') },
  { label: 'Encadré', icon: StickyNote, edit: edits.insertBlock(edits.NOTE_TEMPLATE, 'Le texte de l’encadré.') },
  { label: 'Chiffres', icon: Hash, edit: edits.insertBlock(edits.FIGURES_TEMPLATE, 'ce que mesure ce chiffre') },
  { label: 'Étapes', icon: ListChecks, edit: edits.insertBlock(edits.STEPS_TEMPLATE, 'Première étape') },
  { label: 'Appel à agir', icon: Megaphone, edit: edits.insertBlock(edits.CALL_TEMPLATE, 'Vous avez un toit\u00a0?') },
]
const findToolByShortcut = (key: string) => FORMATTING_TOOLS.find((tool) => tool.key === key.toLowerCase())
const getToolLabel = ({ label, key }: FormattingTool) => (key ? `${label} (Ctrl+${key.toUpperCase()})` : label)

const DEBOUNCE_MS = 400

/** The text once one has stopped typing. */
function useDebouncedText(text: string) {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

const Warnings = ({ warnings }: { warnings: string[] }) => (
  <section aria-label="À revoir" className="mt-3 rounded-card border border-warning/30 bg-warning-soft p-4">
    <h3 className="flex items-center gap-2 text-body font-medium">
      <TriangleAlert aria-hidden="true" className="size-4 text-warning" />À revoir avant de publier
    </h3>
    <ul className="mt-2 grid list-disc gap-1 pl-6 text-[0.8125rem]">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  </section>
)

/** Parsed by the server, drawn as the site draws it. */
function BodyPreview({ form }: { form: ContentEditorState['form'] }) {
  const [title, summary, body] = useWatch({ control: form.control, name: ['title', 'summary', 'body'] })
  const { data, error } = useQuery({
    ...query(content.preview, { body: { body: useDebouncedText(body) } }),
    placeholderData: keepPreviousData,
    gcTime: 1000, // every pause of a long text would be kept
  })
  return (
    <div className="grid content-start">
      <div className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-body">
        <h3 className="font-medium">Aperçu</h3>
        {data && (
          <p className="tabular text-ink-soft">
            {formatCount(data.words, 'mot')}, {formatCount(data.readingMinutes, 'minute')} de lecture
          </p>
        )}
      </div>
      <PreviewPane
        label="Aperçu"
        className="h-[calc(65dvh+2.875rem)] min-h-[22.875rem] rounded-control border border-line bg-card p-5 sm:p-6"
      >
        {title && <p className="text-2xl font-semibold leading-snug text-balance">{title}</p>}
        {summary && <p className="mt-2 mb-8 text-base text-ink-soft">{summary}</p>}
        {data ? <Prose blocks={data.body} /> : !error && <Skeleton className="h-40 w-full" />}
        {data && data.body.length === 0 && (
          <p className="text-body text-ink-soft">Le texte apparaîtra ici à mesure que vous l’écrirez.</p>
        )}
      </PreviewPane>
      {error && (
        <p role="alert" className="mt-3 text-body text-danger">
          {explainError(error)}
        </p>
      )}
      {data && body && data.warnings.length > 0 && <Warnings warnings={data.warnings} />}
    </div>
  )
}

/** A link in a text one is writing must not lead away from the desk. */
function openLinkInNewTab(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  event.stopPropagation()
  window.open(link.href, '_blank', 'noopener')
}

/** What readers see, in a pane that scrolls by itself. */
export const PreviewPane = ({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    tabIndex={0}
    onClickCapture={openLinkInNewTab}
    className={cx('overflow-y-auto', className)}
  >
    {children}
  </section>
)
