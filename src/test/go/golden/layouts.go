// Rows: layout, seconds since 1970, nanoseconds of the second, what Go's time package prints.

package main

import (
	"fmt"
	"io"
	"math/rand"
	"strings"
	"time"
)

var elements = []string{
	"2006", "06", "January", "Jan", "01", "1", "Monday", "Mon", "02", "_2", "2", "002", "__2",
	"15", "03", "3", "04", "4", "05", "5", "PM", "pm", "MST",
	"Z070000", "Z07:00:00", "Z0700", "Z07:00", "Z07", "-070000", "-07:00:00", "-0700", "-07:00", "-07",
	".0", ".00", ".000", ".0000", ".000000", ".000000000", ".0000000000", ".000000000000",
	".9", ".99", ".999", ".9999", ".999999", ".999999999", ".9999999999",
	",0", ",000", ",000000", ",000000000", ",9", ",999", ",999999", ",999999999",
}

var literals = []string{
	"-", "/", "_", "T", "=", "y=", "week ", "é", "日", "🙂", "Z", "Z0", "Z07:", "J", "Ja", "uary", "s", "M", "Mo", "day",
	"MS", "P", "p", "0", "00", "000", "7", "8", "9", "99", ".", ",", "..", "a", "S", " ", "\t", "+", ":", "\\", "{{", "}}",
}

var odd = []string{
	"", "Janus", "JanU", "Januar", "January2", "Januarys", "JANUARY", "jan", "Jan1", "Month", "Mondays", "Mone", "MonDay",
	"mon", "MSTs", "mst", "PMs", "Pm", "pM", "am", "AM", "2006 2", "20062", "200", "20", "22006", "_2006", "__2006", "___2",
	"_", "__", "_ 2", "_22", "_02", "002006", "0002", "0020", "00", "000", "07", "08", "09", "0", "10", "11", "12", "13", "14",
	"16", "150405", "20060102150405", "20060102T150405Z0700", "115", "151", "015", "6", "7", "24", "24h", "12h",
	".0 .9", ".00a", ".001", ".009", ".0009", ".90", ".99a", ".999 .000", "5.0", "05.000", "05,000", "05.9990", "05.0005", ".",
	"..000", ".,000", ",.999", "a.000b", ".000.000", ".999.999", ".٠",
	"Z", "Z0", "Z07", "Z070", "Z0700", "Z07000", "Z070000", "Z0700000", "Z07:", "Z07:0", "Z07:00", "Z07:00:", "Z07:00:0",
	"Z07:00:00", "z07:00", "-", "-0", "-07", "-070", "-0700", "-07000", "-070000", "-07:", "-07:0", "-07:00", "-07:00:",
	"-07:00:00", "--07", "+07", "+0700", "-08",
	"2006-01", "2006/01/02", "year=2006/month=01/day=02", "2006-W01", "dt=2006-01-02", "02/01/06", "hour=15", "3PM", "03pm",
	"2006年01月02日", "Lundi 2 janvier", "über 2", "St. 2", "[2006]", "2006-01-02T15:04:05.000Z", "2006-002", "Jan _2", "__2",
	"." + strings.Repeat("0", 4095), "." + strings.Repeat("0", 4096), "." + strings.Repeat("9", 4096),
	"." + strings.Repeat("0", 4097),
}

var named = []string{
	time.Layout, time.ANSIC, time.UnixDate, time.RubyDate, time.RFC822, time.RFC822Z, time.RFC850, time.RFC1123, time.RFC1123Z,
	time.RFC3339, time.RFC3339Nano, time.Kitchen, time.Stamp, time.StampMilli, time.StampMicro, time.StampNano, time.DateTime,
	time.DateOnly, time.TimeOnly, "2006-01-02 15:04:05.999999999 -0700 MST",
}

func date(year int, month time.Month, day, hour, minute, second, nanos int) time.Time {
	return time.Date(year, month, day, hour, minute, second, nanos, time.UTC)
}

var instants = []time.Time{
	date(2006, 1, 2, 15, 4, 5, 0),
	date(2026, 9, 10, 2, 0, 0, 0),
	date(2024, 3, 5, 0, 0, 0, 0),
	date(2024, 2, 29, 12, 0, 0, 120_000_000),
	date(2023, 12, 31, 23, 59, 59, 999_999_999),
	date(2024, 12, 31, 11, 59, 59, 1),
	date(1969, 12, 31, 23, 59, 59, 0),
	date(1969, 12, 31, 23, 59, 59, 999_999_999),
	date(1970, 1, 1, 0, 0, 0, 0),
	date(999, 4, 9, 1, 2, 3, 10_203_040),
	date(7, 10, 31, 13, 30, 0, 500_000_000),
	date(0, 2, 29, 0, 0, 0, 0),
	date(-1, 12, 31, 23, 59, 59, 1_000),
	date(-44, 3, 15, 10, 0, 0, 0),
	date(-12345, 6, 7, 8, 9, 10, 11),
	date(9999, 12, 31, 23, 59, 59, 999_999_999),
	date(10000, 1, 1, 0, 0, 0, 0),
	date(123456, 7, 8, 9, 10, 11, 987_654_321),
	date(999999999, 12, 31, 23, 59, 59, 999_999_999),
	date(-999999999, 1, 1, 0, 0, 0, 0),
}

func printLayouts(out io.Writer) {
	row := func(layout string, at time.Time) {
		fmt.Fprintf(out, "%s\t%d\t%d\t%s\n", escape(layout), at.Unix(), at.Nanosecond(), escape(at.Format(layout)))
	}
	for _, layout := range append(append([]string{}, elements...), named...) {
		for _, at := range instants {
			row(layout, at)
		}
	}
	random := rand.New(rand.NewSource(20060102))
	for i, layout := range odd {
		row(layout, instants[i%len(instants)])
		row(layout, instants[random.Intn(len(instants))])
	}
	first, last := date(-3000, 1, 1, 0, 0, 0, 0).Unix(), date(12000, 1, 1, 0, 0, 0, 0).Unix()
	for i := 0; i < 2000; i++ {
		var layout strings.Builder
		for n := 1 + random.Intn(7); n > 0; n-- {
			if random.Intn(3) == 0 {
				layout.WriteString(literals[random.Intn(len(literals))])
			} else {
				layout.WriteString(elements[random.Intn(len(elements))])
			}
		}
		nanos := random.Int63n(1_000_000_000)
		for zeros := random.Intn(10); zeros > 0; zeros-- {
			nanos -= nanos % pow10(zeros)
		}
		row(layout.String(), time.Unix(first+random.Int63n(last-first), nanos).UTC())
	}
}

func pow10(n int) int64 {
	power := int64(1)
	for ; n > 0; n-- {
		power *= 10
	}
	return power
}
