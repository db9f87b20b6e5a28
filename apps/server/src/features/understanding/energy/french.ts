export const NBSP = '\u00a0'
export const frenchDay = (day: string) => `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`

const MONTH = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
export const frenchMonth = (day: string) => MONTH.format(new Date(`${day}T00:00:00Z`))
/** « d’avril », « de mars ». */
export const ofMonth = (day: string) => {
  const month = frenchMonth(day)
  return /^[aoéeiu]/.test(month) ? `d’${month}` : `de ${month}`
}

/** 0 and 1 are singular. */
export const plural = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`
/** Rounded down: what is not whole never reads 100 %. */
export const percent = (part: number) => `${String(Math.floor(part * 1000) / 10).replace('.', ',')}${NBSP}%`
