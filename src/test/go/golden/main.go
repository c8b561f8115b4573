// Prints the golden files that hold what Go itself does. The output is the same on every run. From the top of the
// repository, with Go 1.20 or later:
//
//	go run src/test/go/golden/*.go time-layouts > src/test/resources/golden/v1/go-time-layouts.tsv
//	go run src/test/go/golden/*.go templates > src/test/resources/golden/v1/go-templates.tsv
//
// One row a line, columns separated by tabs. In texts a backslash is written \\ and a control character \u and four
// hex digits.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch strings.Join(os.Args[1:], " ") {
	case "time-layouts":
		printLayouts(out)
	case "templates":
		printTemplates(out)
	default:
		fmt.Fprintln(os.Stderr, "give one of: time-layouts, templates")
		os.Exit(2)
	}
}

func escape(text string) string {
	var escaped strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			escaped.WriteString(`\\`)
		case r < ' ' || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&escaped, `\u%04x`, r)
		default:
			escaped.WriteRune(r)
		}
	}
	return escaped.String()
}
