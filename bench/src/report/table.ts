/** Formats a Markdown table: the first column left-aligned, the others right-aligned. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${
      widths.map((width, column) => {
        const cell = cells[column] ?? ""
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      }).join(" | ")
    } |`
  const rule = widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)
  return [line(head), line(rule), ...rows.map(line)].join("\n")
}
