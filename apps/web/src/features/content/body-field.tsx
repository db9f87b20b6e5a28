import type { SiteImage } from '@voisol/contract/content'
import ImagePlus from 'lucide-react/icons/image-plus'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { controlClass } from '../../ui/input.tsx'
import { ImagePicker } from './image-picker.tsx'
import * as edits from './markdown-edits.ts'
import { BodyPreview } from './preview.tsx'
import { FORMATTING_TOOLS, findToolByShortcut, getToolLabel } from './tools.ts'
import type { ContentEditorState } from './use-content.ts'
import { editTextField } from './write-in.ts'

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
