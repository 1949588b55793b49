"""What several displays and pages show: hands, keys, holds, notices, alarms, counts, devices."""
