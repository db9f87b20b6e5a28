const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a point is meant: by a part of its name, or of its number typed with or without spaces. */
export function createPointMatcher(text: string) {
  const searchText = foldText(text).trim()
  const digits = searchText.replace(/\s/g, '')
  return (name: string, prm: string) => foldText(name).includes(searchText) || (digits !== '' && prm.includes(digits))
}
