import { useEffect } from 'react'
import { toast } from '../../lib/toast.ts'
import { FormErrors } from '../../ui/form-errors.tsx'
import { BackLink } from './back-link.tsx'
import { BodyField } from './body-field.tsx'
import { ContentEditorHeader } from './editor-header.tsx'
import { ImageField } from './image-field.tsx'
import { UnsavedChangesGuard } from './leave-guard.tsx'
import { PresentationFields } from './presentation.tsx'
import { ClassificationFields } from './shelving.tsx'
import { StaleContentNotice } from './stale.tsx'
import { type ContentEditorProps, type ContentEditorState, useContentEditor } from './use-content.ts'
import { WebinarFields } from './webinar-fields.tsx'

const saveDraft = async ({ save }: Pick<ContentEditorState, 'save'>) => {
  if (await save()) toast({ title: 'Brouillon enregistré', variant: 'success' })
}

/** Ctrl+S saves wherever one is on the screen. */
function useSaveShortcut(writing: ContentEditorState) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (!writing.form.formState.isSubmitting) void saveDraft(writing)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

/** One content: what it says of itself, where it stands, and its text beside what readers will see. */
export function ContentEditor(props: ContentEditorProps) {
  const writing = useContentEditor(props)
  useSaveShortcut(writing)
  return (
    <>
      <BackLink />
      <ContentEditorHeader writing={writing} onSave={() => void saveDraft(writing)} />
      <form
        noValidate
        className="grid gap-6 [&>*]:min-w-0"
        onSubmit={(event) => {
          event.preventDefault()
          void saveDraft(writing)
        }}
      >
        {writing.stale && <StaleContentNotice writing={writing} />}
        <FormErrors form={writing.form} />
        <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] [&>*]:min-w-0">
          <PresentationFields writing={writing} />
          <ClassificationFields writing={writing} />
        </div>
        {writing.kind === 'webinar' && <WebinarFields writing={writing} />}
        <BodyField writing={writing} />
        {writing.kind !== 'faq' && <ImageField writing={writing} />}
      </form>
      <UnsavedChangesGuard dirty={writing.dirty} ownId={writing.ownId} />
    </>
  )
}
