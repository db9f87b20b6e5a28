import type { TextEdit, TextSelection } from './markdown-edits.ts'

/** Changes a text field as typing would: the browser can undo it, and the form hears of it. */
export function editTextField(field: HTMLTextAreaElement, edit: (selected: TextSelection) => TextEdit) {
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
