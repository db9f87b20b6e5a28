const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a point is meant: by a part of its name, or of its number typed with or without spaces. */
export function seeker(text: string) {
  const wanted = fold(text).trim()
  const digits = wanted.replace(/\s/g, '')
  return (name: string, prm: string) => fold(name).includes(wanted) || (digits !== '' && prm.includes(digits))
}
